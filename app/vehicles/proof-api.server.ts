// The proof of a vehicle's state, as part of the JSON API: the file, and a code that holds the whole of it.
import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi';
import { problemResponse } from '#app/platform/http/problem-response.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import { QR_MAX_BYTES, qrSvg } from '#app/platform/paper/qr.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { answerProof } from '#app/transparency-log/answer-proof.server.ts';
import { proveRecord, type RecordProof } from '#app/transparency-log/prove-record.server.ts';
import { findVehicleOrProblem, regoParam, regoProblems } from './api.server.ts';

const proofRoute = createRoute({
  method: 'get',
  path: '/vehicles/{rego}/proof',
  summary: 'Proof that the latest change of the vehicle’s record is in the public log (c2sp.org/tlog-proof)',
  request: { params: regoParam },
  responses: {
    200: { description: 'The proof file', content: { 'text/plain': { schema: z.string() } } },
    503: problemResponse('proof-waiting: not signed yet'),
    ...regoProblems(),
  },
});

const codeRoute = createRoute({
  method: 'get',
  path: '/vehicles/{rego}/proof.svg',
  summary: 'The same proof as a QR code that holds the whole file, for another phone’s camera',
  request: { params: regoParam },
  responses: {
    200: { description: 'The picture', content: { 'image/svg+xml': { schema: z.string() } } },
    503: problemResponse('proof-waiting: not signed yet'),
    ...regoProblems(),
    422: problemResponse('proof-too-long: no code holds so much'),
  },
});

export function vehicleProofRoutes(app: OpenAPIHono, { db, config }: Pick<Services, 'db' | 'config'>): void {
  const serve = (
    route: typeof proofRoute | typeof codeRoute,
    answer: (proof: RecordProof, rego: string) => Response,
  ) => {
    app.openAPIRegistry.registerPath(route);
    app.get(route.getRoutingPath(), async (context) => {
      const found = await findVehicleOrProblem({ db, config }, context.req.param('rego') ?? '');
      if (found instanceof Response) return found;
      return answer(await proveRecord({ db, config }, { table: 'vehicle', key: found.id }, 'last'), found.rego);
    });
  };
  serve(proofRoute, answerProof);
  serve(codeRoute, (proof, rego) => {
    if (proof.state === 'waiting') return answerProof(proof, rego);
    if (Buffer.byteLength(proof.file) > QR_MAX_BYTES)
      return problem(422, 'proof-too-long', { detail: 'No QR code holds this proof. Take the file.' });
    return new Response(qrSvg(proof.file), { headers: { 'content-type': 'image/svg+xml' } });
  });
}
