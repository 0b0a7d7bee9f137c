// Scales a photo in the browser, so that it takes less of a slow line, and of a phone's storage. What cannot be read
// here stays as it is: the registry says then what is wrong with it.
const LONGEST_EDGE = 2000;
const QUALITY = 0.82;

/** The size in which a picture is kept, in the same shape; undefined: it is small enough as it is. */
export function scaledSize(width: number, height: number): { width: number; height: number } | undefined {
  const scale = LONGEST_EDGE / Math.max(width, height);
  return scale >= 1
    ? undefined
    : { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** As a JPEG of its own name; the file itself where that would not be smaller. */
export async function scalePhoto(file: File): Promise<File> {
  try {
    const picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const size = scaledSize(picture.width, picture.height);
    if (size === undefined) return file;
    const canvas = Object.assign(document.createElement('canvas'), size);
    canvas.getContext('2d')?.drawImage(picture, 0, 0, size.width, size.height);
    picture.close();
    const scaled = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
    if (scaled === null || scaled.size >= file.size) return file;
    return new File([scaled], nameAsJpeg(file.name), { type: 'image/jpeg' });
  } catch {
    return file;
  }
}

export const nameAsJpeg = (name: string): string => `${name.replace(/\.(?:jpe?g|png|webp)$/i, '')}.jpg`;
