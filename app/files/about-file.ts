// A file in a few words.
import { formatBytes } from '#app/platform/http/format-bytes.ts';

const TYPES: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF',
  'image/jpeg': 'JPEG image',
  'image/png': 'PNG image',
  'image/webp': 'WebP image',
};

/** 'PDF, 84 kB'. */
export function aboutFile({ mediaType, size }: { mediaType: string | null; size: number | null }): string {
  const type = TYPES[mediaType ?? ''];
  return [...(type === undefined ? [] : [type]), ...(size === null ? [] : [formatBytes(size)])].join(', ');
}
