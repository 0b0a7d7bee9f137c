// Parses the answer of /metrics.

/** Each series as written, name and labels, with its value. */
export function parseMetrics(text: string): Map<string, number> {
  const series = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const at = line.lastIndexOf(' ');
    if (series.has(line.slice(0, at))) throw new Error(`twice: ${line}`);
    series.set(line.slice(0, at), Number(line.slice(at + 1)));
  }
  return series;
}
