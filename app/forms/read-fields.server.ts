// Reads a posted form that stores no file: its fields, and its files in memory.
import { readMultipart, ReceivedForm } from '#app/files/read-multipart.server.ts';
import { decodeForm, MalformedForm, mediaTypeOf, TEXT_MAX_BYTES } from '#app/platform/http/form.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';

/** A table of an import, which travels with its form. */
export const TABLE_TEXT_MAX_BYTES = 9 * 1024 * 1024;

/** `fieldMaxBytes`: of each text of a form with files. Throws MalformedForm. */
export async function readFields(request: Request, fieldMaxBytes = TEXT_MAX_BYTES): Promise<ReceivedForm> {
  if (mediaTypeOf(request.headers) !== 'multipart/form-data') return decodeForm(request, new ReceivedForm());
  return readMultipart(request, {
    roleOf: () => 'certificate',
    fieldMaxBytes,
    async take(file, form) {
      form.files.push(file);
      return undefined;
    },
  });
}

/** The same for a form that is answered with a file: a malformed one with problem details. */
export const readFieldsOrProblem = (
  request: Request,
  fieldMaxBytes = TEXT_MAX_BYTES,
): Promise<ReceivedForm | Response> =>
  readFields(request, fieldMaxBytes).catch((error: unknown) => {
    if (error instanceof MalformedForm) return problem(error.status, 'form-malformed', { detail: error.message });
    throw error;
  });
