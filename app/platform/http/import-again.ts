// import() of a part of the program, that can succeed after it has failed: the HTML standard's module map keeps what
// could not be loaded until the page is left, so each attempt has an address of its own. vite.config.ts puts it in the
// place of import(). What such a part imports itself is asked for by its own address.
// Buys: a dialog whose file was lost on a bad line opens when the line is back. Deletable when browsers load again what
// failed.
declare global {
  var importAgain: (path: string) => Promise<unknown>;
}

const failures = new Map<string, number>();

export function provideImportAgain(): void {
  globalThis.importAgain = async (path) => {
    const before = failures.get(path) ?? 0;
    try {
      return await import(/* @vite-ignore */ before === 0 ? path : `${path}?again=${before}`);
    } catch (error) {
      failures.set(path, before + 1);
      throw error;
    }
  };
}
