// Ad slots.
export const slots = {
  newSlot: 'New ad slot',
  location: 'Location, for example home-top',
  name: 'Name',
  width: 'Width in pixels',
  height: 'Height in pixels',
  slotActive: 'is auctioned and displayed',
  slotInactive: 'inactive',
  activate: 'Activate',
  deactivate: 'Deactivate',
  deleteSlot: 'Only a slot without auctions and placements can be deleted.',
}
