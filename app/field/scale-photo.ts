// Scales a photo on the phone, so that it takes less of its storage and of a slow line. What cannot be read here stays as it is: the
// registry says then what is wrong with it.
const LONGEST_EDGE = 2000;
const QUALITY = 0.82;

export async function scalePhoto(file: File): Promise<Blob> {
  try {
    const picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const scale = Math.min(1, LONGEST_EDGE / Math.max(picture.width, picture.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    const scaled = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
    return scaled === null || scaled.size >= file.size ? file : scaled;
  } catch {
    return file;
  }
}
