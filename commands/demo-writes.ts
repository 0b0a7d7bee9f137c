// What every write of the demo needs: who makes it, a photo, and a key under which it is made once.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { findPersonByEmail } from '#app/access/queries.server.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import { addTemporaryUpload } from '#app/files/temporary-upload.server.ts';
import type { OpenRegistry } from './open-registry.ts';

const TICKETS = path.resolve(import.meta.dirname, '../database/demo/tickets');

export type Demo = Pick<OpenRegistry, 'db' | 'files' | 'config'> & { now: () => Date };
/** By the weighbridge's name: its id, and the line that names it. */
export type Register = ReadonlyMap<string, { id: string; line: string }>;

/** Uploads a file of the folder tickets/. Returns the upload's id. */
export async function uploadPhoto(demo: Demo, who: SignedIn, name: string): Promise<string> {
  const bytes = await readFile(path.join(TICKETS, name));
  const upload = await addTemporaryUpload(demo, who.personId, 'image', { name, bytes });
  if (!upload.added) throw new Error(`the demo's photo ${name} was refused: ${upload.reason}`);
  return upload.id;
}

export async function signedIn({ db }: Demo, email: string): Promise<SignedIn> {
  const person = await findPersonByEmail(db, email);
  if (person === undefined) throw new Error(`the demo has no ${email}`);
  const { personId, standing } = person;
  return { ...standing, personId, sessionId: '', mustChangePassword: false, hasSecondFactor: false };
}

/** A UUID that says what is written: the same at each start. */
export function keyOf(...what: string[]): string {
  const hex = createHash('sha256').update(what.join('\n')).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
