/** What `work` gives; undefined where its file is not there. A disk that fails says nothing of that. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
