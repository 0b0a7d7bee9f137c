// A progress line on standard error: a bar on a terminal, a line now and then elsewhere.

export type ProgressLine = {
  show: (step: string, bytes: number) => void;
  print: (line: string) => void;
  end: () => void;
};

const BAR_WIDTH = 30;
const EVERY_MS = { terminal: 100, file: 5000 };

/** Progress over `total` bytes. `print` writes a line to standard output without breaking the bar. */
export function progressLine(total: number): ProgressLine {
  const { isTTY } = process.stderr;
  let shownAt = 0;
  let drawn = false;
  const clear = () => {
    if (drawn) process.stderr.write('\r\u001b[K');
    drawn = false;
  };
  return {
    show(step, bytes) {
      const now = Date.now();
      if (now - shownAt < (isTTY ? EVERY_MS.terminal : EVERY_MS.file) && bytes < total) return;
      if (!isTTY && shownAt === 0 && bytes < total) {
        shownAt = now;
        return;
      }
      shownAt = now;
      const share = total === 0 ? 1 : Math.min(1, bytes / total);
      const percent = `${Math.floor(share * 100)} %`.padStart(5);
      if (!isTTY) return void process.stderr.write(`${step} ${percent}\n`);
      const filled = Math.round(share * BAR_WIDTH);
      process.stderr.write(
        `\r\u001b[K${step.padEnd(10)} [${'='.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}] ${percent}`,
      );
      drawn = true;
    },
    print(line) {
      clear();
      process.stdout.write(`${line}\n`);
    },
    end: clear,
  };
}
