// People's pictures. Only the person and who may read people may see one.
import { toWeb } from '#app/platform/http/web-stream.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { may } from '#app/access/permissions.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';

/** The thumbnail of `personId`; undefined when there is none or `who` may not see it, so that the two look alike. */
export async function portrait(
  { db, files }: Services,
  who: SignedIn,
  personId: string,
): Promise<Response | undefined> {
  if (!isUuid(personId)) return undefined;
  if (personId !== who.personId && !may(who.role, 'read people')) return undefined;
  const found = await db
    .selectFrom('person')
    .leftJoin('staff', (join) => join.onRef('staff.personId', '=', 'person.id').on('staff.deletedAt', 'is', null))
    .leftJoin('technician', (join) =>
      join.onRef('technician.personId', '=', 'person.id').on('technician.deletedAt', 'is', null),
    )
    .innerJoin('storedFile', (join) =>
      join.on((eb) => eb('storedFile.id', '=', eb.fn.coalesce('staff.imageId', 'technician.imageId'))),
    )
    .select(['storedFile.thumbnailKey', 'storedFile.storageKey'])
    .where('person.id', '=', personId)
    .executeTakeFirst();
  if (found?.thumbnailKey == null || (await files.size(found.thumbnailKey)) === undefined) return undefined;
  return new Response(toWeb(await files.read(found.thumbnailKey)), {
    headers: {
      'content-type': 'image/webp',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    },
  });
}
