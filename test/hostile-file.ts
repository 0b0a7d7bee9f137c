// A file that somebody might send to do harm, and what must become of it.
import type { UploadRole } from '#app/files/store-upload.server.ts';

/** Stands for what is hidden in each file. Nothing that was written again may hold it. */
export const MARK = 'HOSTILE-4c1e';

export type HostileFile = {
  what: string;
  role: UploadRole;
  /** The name it is sent under. */
  name: string;
  make: () => Buffer | Promise<Buffer>;
  /** Refused with such a sentence, written again as pixels, or (PDF) kept and only ever handed over as a file. */
  fate: RegExp | 'pixels' | 'attachment';
};

export const NO_IMAGE = /An image is a JPEG, PNG or WebP file\.$/;
export const NO_CERTIFICATE = /A certificate is a PDF, JPEG or PNG file\.$/;
export const DAMAGED = /The image is damaged or cannot be read\.$/;
