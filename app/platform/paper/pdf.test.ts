import { expect, test, vi } from 'vitest';
import { hasPaperReaders, textOf } from '#test/paper-readers.ts';

test.runIf(hasPaperReaders())(
  'a file can be searched for its dots, also after one with a middle dot and none of its own',
  async () => {
    // The fonts of a process that has made no file yet.
    vi.resetModules();
    const { makePdf, REGULAR } = await import('./pdf.server.ts');
    const margins = { top: 20, bottom: 20, left: 20, right: 20 };
    const make = (text: string) =>
      makePdf({ title: 'Dots', author: 'A test', size: [300, 200], margins }, ({ doc }) => {
        doc.addPage();
        doc.font(REGULAR).text(text);
      });
    await make('a · b');
    expect((await textOf(await make('answer.csv'))).join('')).toContain('answer.csv');
  },
);
