// Pictures for the stories: one of two colours, as a photo of one colour is refused.
import sharp from 'sharp';

export const photoOf = (background: string, { width, height } = { width: 1200, height: 900 }): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .composite([{ input: { create: { width: 40, height: 40, channels: 3, background: '#fff' } }, left: 20, top: 20 }])
    .jpeg()
    .toBuffer();
