declare module 'virtual:react-router/server-build' {
  import type { ServerBuild } from 'react-router';
  const build: ServerBuild;
  export = build;
}
declare module 'fontkit' {
  /** A font that was read. pdfkit takes it as the source of one, as it takes bytes, which its own types do not know. */
  export type ReadFont = Uint8Array & {
    hasGlyphForCodePoint(code: number): boolean;
    layout(text: string, ...special: unknown[]): { positions: object[] };
  };
  export function create(bytes: Uint8Array): ReadFont;
}
