// The public log by its entries, as part of the JSON API.
import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi';
import { problem } from '#app/platform/http/problem-details.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { answerProof } from './answer-proof.server.ts';
import { parseEntryIndex } from './log-address.ts';
import { proveEntry } from './prove-record.server.ts';

const proofRoute = createRoute({
  method: 'get',
  path: '/log/entries/{index}/proof',
  summary:
    'Proof that an entry is in the public log (c2sp.org/tlog-proof). It opens nothing of what the entry is about',
  request: { params: z.object({ index: z.string().openapi({ param: { name: 'index', in: 'path' }, example: '35' }) }) },
  responses: {
    200: { description: 'The proof file', content: { 'text/plain': { schema: z.string() } } },
    400: { description: 'entry-invalid' },
    503: { description: 'proof-waiting: not in the signed log yet. Try again after Retry-After' },
  },
});

export function logRoutes(app: OpenAPIHono, { config }: Pick<Services, 'config'>): void {
  app.openAPIRegistry.registerPath(proofRoute);
  app.get(proofRoute.getRoutingPath(), async (context) => {
    const index = parseEntryIndex(context.req.param('index') ?? '');
    if (index === undefined)
      return problem(400, 'entry-invalid', { detail: 'The number of an entry is a whole number from 0.' });
    return answerProof(await proveEntry({ config }, index), `entry-${index}`);
  });
}
