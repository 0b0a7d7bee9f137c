// Receives a form with file fields. Its files become temporary uploads of the sender, and the form then holds only
// their ids, as it does when the browser has uploaded the files when they were chosen.
import type { Services } from '#app/platform/services/services.server.ts';
import { readMultipart, type ReceivedForm } from './read-multipart.server.ts';
import { addTemporaryUpload } from './temporary-upload.server.ts';
import type { UploadRole } from './store-upload.server.ts';

/**
 * `uploads`: the files that came with this form, in order. `notStored`: why a file could not be stored. The caller
 * throws it after it has read the fields, so that the typed texts are not lost.
 */
export type ReceivedFormWithFiles = ReceivedForm & {
  uploads: readonly { field: string; id: string }[];
  notStored: Error | undefined;
};

/** Uploads the files of `<field>_file` as `roles[field]`, and adds their ids to the values of `<field>`. */
export async function receiveForm(
  services: Services,
  personId: string,
  { request, roles }: { request: Request; roles: Readonly<Record<string, UploadRole>> },
): Promise<ReceivedFormWithFiles> {
  const fieldOf = (name: string) => name.replace(/_file$/, '');
  const uploads: { field: string; id: string }[] = [];
  let notStored: Error | undefined;
  const form = await readMultipart(request, {
    roleOf: (name) =>
      name.endsWith('_file') && Object.hasOwn(roles, fieldOf(name)) ? roles[fieldOf(name)] : undefined,
    async take({ field, name, bytes }) {
      const role = roles[fieldOf(field)] ?? 'image';
      if (notStored !== undefined) return undefined;
      try {
        const upload = await addTemporaryUpload(services, personId, { role, upload: { name, bytes } });
        if (!upload.added) return upload.reason;
        uploads.push({ field: fieldOf(field), id: upload.id });
      } catch (error) {
        notStored = error instanceof Error ? error : new Error(String(error));
      }
      return undefined;
    },
  });
  for (const { field, id } of uploads) form.add(field, id);
  return Object.assign(form, { uploads, notStored });
}
