// Reads a posted form that stores no file: its fields, and its files in memory.
import { readMultipart, ReceivedForm } from '#app/files/read-multipart.server.ts';
import { decodeForm, mediaTypeOf, TEXT_MAX_BYTES } from '#app/platform/http/form.server.ts';

/** Throws MalformedForm. */
export async function readFields(request: Request): Promise<ReceivedForm> {
  if (mediaTypeOf(request.headers) !== 'multipart/form-data') return decodeForm(request, new ReceivedForm());
  return readMultipart(request, {
    roleOf: () => 'certificate',
    fieldMaxBytes: TEXT_MAX_BYTES,
    async take({ field, bytes }, form) {
      form.files.set(field, bytes);
      return undefined;
    },
  });
}
