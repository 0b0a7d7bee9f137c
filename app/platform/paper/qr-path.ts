/** A QR code as the path of an SVG whose view box is `size` modules wide, quiet zone excluded. */
export type QrPath = { size: number; path: string };
