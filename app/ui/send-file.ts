// Sends one file to /uploads, with progress. After network errors it tries again, for up to ten minutes.
/** `isRefused`: the file itself is refused, so sending it again does not help. */
export type Sent = { sent: true; id: string } | { sent: false; reason: string; isRefused: boolean };
export type Sending = { done: Promise<Sent>; abort: () => void };

const RETRY_FOR_MS = 600_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

export function sendFile({
  field,
  file,
  onPercent,
}: {
  field: string;
  file: File;
  onPercent: (percent: number) => void;
}): Sending {
  const begun = Date.now();
  let aborted = false;
  let current: XMLHttpRequest | undefined;

  const attempt = () =>
    new Promise<Sent | 'broken'>((resolve) => {
      const request = new XMLHttpRequest();
      current = request;
      request.open('POST', '/uploads');
      request.responseType = 'json';
      request.upload.addEventListener('progress', ({ loaded, total }) =>
        onPercent(total === 0 ? 0 : Math.min(99, Math.floor((loaded / total) * 100))),
      );
      request.addEventListener('load', () => resolve(answerOf(request)));
      for (const event of ['error', 'timeout'] as const) request.addEventListener(event, () => resolve('broken'));
      request.addEventListener('abort', () =>
        resolve({ sent: false, reason: 'The upload was stopped.', isRefused: false }),
      );
      const body = new FormData();
      body.append(field, file);
      request.send(body);
    });

  const run = async (): Promise<Sent> => {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const answer = await attempt();
      if (answer !== 'broken') return answer;
      if (aborted || Date.now() - begun + pause > RETRY_FOR_MS)
        return { sent: false, reason: 'The connection was lost. Nothing was stored.', isRefused: false };
      onPercent(0);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  };
  return {
    done: run(),
    abort() {
      aborted = true;
      current?.abort();
    },
  };
}

// An answer of somebody else, such as the page of a Wi-Fi, is a broken connection.
function answerOf({ status, response: body, responseURL }: XMLHttpRequest): Sent | 'broken' {
  const said = typeof body === 'object' && body !== null ? body : {};
  if (status === 201 && 'id' in said && typeof said.id === 'string') return { sent: true, id: said.id };
  if (status === 413) return { sent: false, reason: 'The file is too large.', isRefused: true };
  if (new URL(responseURL).pathname === '/login')
    return { sent: false, reason: 'You may be signed out. Nothing was stored.', isRefused: false };
  if (status === 503 || !('code' in said && 'detail' in said && typeof said.detail === 'string')) return 'broken';
  return { sent: false, reason: said.detail, isRefused: status === 422 };
}
