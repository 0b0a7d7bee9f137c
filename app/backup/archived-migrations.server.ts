// The migrations of an archive against those of this version.
import { type Migration, readMigrations } from '#database/migrate.ts';

/** `archived`: of the archive; `newer`: only this version has them; `unknown`: only the archive has them. */
export async function compareMigrations(
  migrations: readonly { name: string; hash: string }[],
): Promise<{ archived: Migration[]; newer: Migration[]; unknown: string[] }> {
  const known = await readMigrations();
  const has = (list: readonly { name: string; hash: string }[], one: { name: string; hash: string }) =>
    list.some(({ name, hash }) => name === one.name && hash === one.hash);
  return {
    archived: known.filter((one) => has(migrations, one)),
    newer: known.filter((one) => !has(migrations, one)),
    unknown: migrations.filter((one) => !has(known, one)).map(({ name }) => name),
  };
}
