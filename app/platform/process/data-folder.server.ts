// DATA_DIR is made one folder at a time: where no folder can be made (as in /proc), Node's own recursive `mkdir` tries
// for ever.
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from './start-error.ts';

/** Makes `folder` and those above it where missing. Throws StartError with a sentence, or what the system says. */
export async function makeDataFolder(folder: string): Promise<void> {
  const there = await stat(folder).catch(noneYet);
  if (there?.isDirectory() === false) throw new StartError(`${folder} is not a folder. Set DATA_DIR to a folder.`);
  if (there !== undefined) return;
  const above = path.dirname(folder);
  if (above !== folder) await makeDataFolder(above);
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return;
    if (error.code === 'ENOENT')
      throw new StartError(`${folder} cannot be created. Set DATA_DIR to another folder.`, { cause: error });
    throw error;
  });
}

function noneYet(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
