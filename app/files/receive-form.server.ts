// A form with file fields at the door: its files are staged for the person who sends it, and the form then speaks of
// staged ids only, whether the browser uploaded them when they were chosen or sends them with the form.
import type { Services } from '#app/platform/services/services.server.ts';
import { readMultipart, type ReceivedForm } from './read-multipart.server.ts';
import { stageUpload } from './stage-upload.server.ts';
import type { UploadRole } from './store-upload.server.ts';

/**
 * `staged`: what came with this form, in its order. `notStored`: why a file could not be kept. To be thrown by whoever has
 * read the fields: what was typed beside the file came in all the same.
 */
export type ReceivedFormWithFiles = ReceivedForm & {
  staged: readonly { field: string; id: string }[];
  notStored: Error | undefined;
};

/** `<field>_file` inputs are staged as `roles[field]`; their ids join the values of `<field>`. */
export async function receiveForm(
  services: Services,
  personId: string,
  request: Request,
  roles: Readonly<Record<string, UploadRole>>,
): Promise<ReceivedFormWithFiles> {
  const fieldOf = (name: string) => name.replace(/_file$/, '');
  const staged: { field: string; id: string }[] = [];
  let notStored: Error | undefined;
  const form = await readMultipart(
    request,
    (name) => (name.endsWith('_file') && Object.hasOwn(roles, fieldOf(name)) ? roles[fieldOf(name)] : undefined),
    async ({ field, name, bytes }) => {
      const role = roles[fieldOf(field)] ?? 'image';
      if (notStored !== undefined) return undefined;
      try {
        const upload = await stageUpload(services, personId, role, { name, bytes });
        if (!upload.staged) return upload.reason;
        staged.push({ field: fieldOf(field), id: upload.id });
      } catch (error) {
        notStored = error instanceof Error ? error : new Error(String(error));
      }
      return undefined;
    },
  );
  for (const { field, id } of staged) {
    form.fields.set(field, id);
    form.all.set(field, [...(form.all.get(field) ?? []), id]);
  }
  return { ...form, staged, notStored };
}
