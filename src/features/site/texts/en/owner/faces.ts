// Pictures of a server.
export const faces = {
  title: 'Pictures',
  tooLarge: 'Choose a picture of at most 5 MB.',
  lead: 'PNG, JPEG, WebP or GIF (its first frame), at most 5 MB. We store a new encoding, without the place and the camera that photos name.',
  logo: 'Logo',
  banner: 'Banner',
  choose: {
    logo: 'Square, 128 × 128 pixels or more',
    banner: 'Four times as wide as high, 960 × 240 pixels or more',
  },
  upload: 'Upload',
  sending: 'Sending the picture…',
  pending: 'The picture is being processed. Load this page again in a moment.',
  refused: 'The last picture was refused: it',
  iconLocked:
    'The people who run this directory have removed the icon that your game server reports, and it is not shown.',
  locked: 'The people who run this directory have removed this picture, and no other can be set.',
  remove: 'Remove the picture',
  removeWarning: 'It disappears from all pages at once.',
}
