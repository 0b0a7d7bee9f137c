// How the API's description shows an error.
import { z } from '@hono/zod-openapi';

const problemSchema = z
  .object({ type: z.string(), title: z.string(), status: z.int(), code: z.string(), detail: z.string() })
  .openapi('Problem');

export const problemResponse = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: problemSchema } },
});
