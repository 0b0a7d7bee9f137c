/** `text` with its percent escapes decoded; undefined when one of them is broken. */
export function decodeEscapes(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
