declare module 'virtual:react-router/server-build' {
  import type { ServerBuild } from 'react-router';
  const build: ServerBuild;
  export = build;
}
declare module 'fontkit' {
  /**
   * A parsed font. pdfkit accepts it wherever it accepts the bytes of a font, but its own types do not declare that.
   */
  export type ReadFont = Uint8Array & {
    hasGlyphForCodePoint(code: number): boolean;
    glyphsForString(text: string): object[];
    layout(text: string, ...special: unknown[]): { positions: object[] };
  };
  export function create(bytes: Uint8Array): ReadFont;
}
