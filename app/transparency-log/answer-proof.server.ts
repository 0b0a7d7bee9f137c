import { attachment } from '#app/platform/http/attachment.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import type { RecordProof } from './prove-record.server.ts';

/** The proof file as an answer, to be kept as `name`; 503 while its leaf is not signed. */
export function answerProof(proof: RecordProof, name: string): Response {
  if (proof.state === 'waiting')
    return problem(503, 'proof-waiting', {
      detail: 'This record is not in the signed log yet. Try again in a few seconds.',
      retryAfter: 2,
    });
  return attachment(proof.file, `${name}.tlog-proof`, { 'content-type': 'text/plain; charset=utf-8' });
}
