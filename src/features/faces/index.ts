// Faces: logos and banners of servers, uploaded or downloaded, encoded by workers and kept by their hash.
export { type FaceAttempt, type FaceKind, LOCKED_KINDS } from './faces.jobs.ts'
export { facesOperations } from './faces.operations.ts'
export { applyBannerUrl, recordEncoding, runFacesUpkeep, storeUpload } from './faces.service.ts'
export { type EncodedImage, findBannerUrl, findCardImage, findImage, findUpload, storeImage } from './faces.sql.ts'
export { bannerImageUrl, IMAGES_FOLDER, logoUrl, smallLogoPath } from './image-path.ts'
export { IMAGE_TYPES, IMAGE_TYPES_IN_WORDS, imageTypeOf, MAX_IMAGE_BYTES } from './image-types.ts'
export { personalData } from './personal-data.ts'
