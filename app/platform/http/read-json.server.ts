// Reads JSON from a stranger. What it holds is counted before it is parsed: an object of 600,000 keys takes seconds.

export type JsonLimits = { depth: number; keys: number; items: number };
export type Json = { ok: true; value: unknown } | { ok: false; message: string };

/** `items`: the commas. */
export function readJson(bytes: Uint8Array, most: JsonLimits): Json {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const message = beyond(text, most);
    return message === undefined ? { ok: true, value: JSON.parse(text) } : { ok: false, message };
  } catch {
    return { ok: false, message: 'The body is not JSON.' };
  }
}

// Undefined: it is within the limits, or no JSON.
function beyond(text: string, most: JsonLimits): string | undefined {
  let [depth, keys, items, isText] = [0, 0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const found = text[at];
    if (found === '"') isText = !isText;
    else if (isText && found === '\\') at += 1;
    if (isText || found === '"') continue;
    if (found === '[' || found === '{') depth += 1;
    else if (found === ']' || found === '}') depth -= 1;
    else if (found === ',') items += 1;
    else if (found === ':') keys += 1;
    else continue;
    if (depth > most.depth) return `The body is deeper than ${most.depth} arrays and objects.`;
    if (keys > most.keys) return `The body has more than ${most.keys} keys.`;
    if (items > most.items) return `The body has more than ${most.items.toLocaleString('en-AU')} items.`;
  }
  return undefined;
}
