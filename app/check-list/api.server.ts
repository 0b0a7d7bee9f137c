// A list of trucks for programs: CSV or JSON in, CSV or JSON lines out. The rows are sent as they are found, one for
// each line, in the order of the list.
import { createRoute, z } from '@hono/zod-openapi';
import { inThreadTurn } from '#app/platform/process/few-at-once.server.ts';
import { csvDownload } from '#app/platform/http/csv-download.server.ts';
import { readJson } from '#app/platform/http/read-json.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import { problemResponse } from '#app/platform/http/problem-response.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { VERDICTS } from '#app/vehicles/verdict-table.ts';
import { MAY_HAVE_CHANGED } from '#app/platform/http/spreadsheet-mark.ts';
import { textOfFile, WORKBOOK_TYPES } from '#app/platform/http/table-file.server.ts';
import { statesWords } from './answer-words.ts';
import { answerCsv } from './answer-csv.ts';
import { askedDay } from './asked-day.server.ts';
import { answerList } from './answer-list.server.ts';
import type { LineAnswer } from './line-answer.ts';
import { LINES_AN_HOUR, MEGABYTES_AN_HOUR, takeLines, tooManyAnswer } from './line-limit.server.ts';
import { countAsked, LINES_MAX, readList, type ReadList } from './read-list.server.ts';

const CELL_MAX = 200;
const TABLE_TYPES: readonly string[] = ['text/csv', 'text/plain', 'text/tab-separated-values', ...WORKBOOK_TYPES];
const listSchema = z.object({ lines: z.array(z.string().max(CELL_MAX)).min(1).max(LINES_MAX) }).openapi('List');
const ANSWERS = ['heading', 'empty', 'unreadable', 'several', 'not-found', 'does-not-match-log'] as const;
const rowSchema = z
  .object({
    line: z.int().openapi({ description: 'From 1, as in the list' }),
    asked_for: z.string(),
    answer: z.enum([...VERDICTS.map(({ verdict }) => verdict), ...ANSWERS]).openapi({
      description:
        'The verdict of the truck whose whole rego or VIN the line is; or why there is none. Part of a rego never gets a verdict',
    }),
    rego: z.string().nullable(),
    due_date: z.string().nullable().openapi({ example: '2027-05-14' }),
    rests_on: z.string().openapi({ description: 'What the verdict rests on, in short; or why there is none' }),
    read_without: z
      .string()
      .optional()
      .openapi({ description: 'The state that the line was read without', example: 'NSW' }),
    same_as: z.int().nullable().openapi({ description: 'The first line with the same truck' }),
    matches: z
      .array(z.string())
      .openapi({ description: 'Some of several trucks with this VIN, or whose rego or VIN contains the line' }),
    did_you_mean: z.array(z.string()),
    as_at: z.string().openapi({ description: 'ISO 8601, UTC' }),
  })
  .openapi('CheckedLine');

export const checkRoute = createRoute({
  method: 'post',
  path: '/check',
  summary: 'Check many trucks: one row for each line of a list, in its order',
  description: `At most ${LINES_MAX.toLocaleString('en-AU')} lines at once, and ${LINES_AN_HOUR.toLocaleString('en-AU')} and ${MEGABYTES_AN_HOUR} MB an hour from one client; without Content-Length a list counts as 9 MB. Of CSV, or of the first sheet of a workbook (.xlsx, .xls, .ods), the first column is read, or the one whose heading says rego, plate, registration or VIN. Nothing of the list is stored.`,
  request: {
    query: z.object({ on: z.string().optional().openapi({ description: 'As at the end of this day' }) }),
    body: {
      required: true,
      content: {
        'application/json': { schema: listSchema },
        'text/csv': { schema: z.string() },
        [WORKBOOK_TYPES[0]]: { schema: z.string() },
      },
    },
  },
  responses: {
    200: {
      description: 'One row for each line. JSON lines, or CSV for a client that accepts text/csv',
      content: { 'application/x-ndjson': { schema: rowSchema }, 'text/csv': { schema: z.string() } },
    },
    400: problemResponse('list-invalid or day-invalid: the sentence says why'),
    413: problemResponse('body-too-large'),
    415: problemResponse('list-type: neither CSV nor JSON'),
    429: problemResponse('too-many-lines or too-many-bytes, with Retry-After'),
  },
});

/** `client`: the address that the limit counts. */
export async function answerCheck(services: Services, request: Request, client: string): Promise<Response> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json' && !TABLE_TYPES.includes(type))
    return problem(415, 'list-type', {
      detail: 'Send the list as text/csv, as a workbook, or as application/json: {"lines": ["XV04KL"]}.',
    });
  const bytes = new Uint8Array(await request.arrayBuffer());
  const read =
    type === 'application/json' ? await inThreadTurn(async () => linesOfJson(bytes)) : await linesOfTable(bytes);
  if (!read.ok) return problem(400, 'list-invalid', { detail: read.message });
  const hit = await takeLines(services, client, countAsked(read.lines));
  if (!hit.allowed) return tooManyAnswer(hit.retryAfterSeconds);
  const zone = services.config.timeZone;
  const day = await askedDay(services, new URL(request.url).searchParams.get('on') ?? '', read.lines.length);
  if ('refusal' in day) return problem(400, 'day-invalid', { detail: day.refusal });
  const asAt = day.moment.toISOString();
  const answers = answerList(services.db, read.lines, day.at);
  return (request.headers.get('accept') ?? '').includes('text/csv')
    ? csvDownload(answerCsv(answers, { asAt, zone }), 'checked.csv')
    : jsonLines(answers, { asAt, zone });
}

async function linesOfTable(bytes: Uint8Array): Promise<ReadList> {
  const file = await textOfFile(bytes);
  return file.ok ? inThreadTurn(async () => readList(file.text)) : file;
}

function linesOfJson(bytes: Uint8Array): ReadList {
  const given = readJson(bytes, { depth: 4, keys: 100, items: LINES_MAX + 100 });
  if (!given.ok) return given;
  const parsed = listSchema.safeParse(given.value);
  if (parsed.success)
    return {
      ok: true,
      lines: parsed.data.lines.map((text, place) => ({ number: place + 1, text: text.trim(), isHeading: false })),
    };
  const [issue] = parsed.error.issues;
  return { ok: false, message: `${['body', ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'it is no list'}.` };
}

function jsonLines(answers: AsyncGenerator<LineAnswer[], void, void>, about: { asAt: string; zone: string }): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await answers.next();
        if (done === true) controller.close();
        else
          controller.enqueue(
            encoder.encode(value.map((answer) => `${JSON.stringify(presentRow(answer, about))}\n`).join('')),
          );
      },
      async cancel() {
        await answers.return();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } });
}

function presentRow(answer: LineAnswer, { asAt, zone }: { asAt: string; zone: string }): z.infer<typeof rowSchema> {
  const found = answer.kind === 'found' ? answer : undefined;
  return {
    line: answer.number,
    asked_for: answer.asked,
    answer: answerWord(answer),
    rego: found?.rego ?? null,
    due_date: found?.dueOn ?? null,
    rests_on: restsOn(answer, zone),
    read_without: found?.without,
    same_as: found?.sameAs ?? null,
    matches: answer.kind === 'several' ? answer.regos : [],
    did_you_mean: answer.kind === 'not-found' ? answer.near : [],
    as_at: asAt,
  };
}

function answerWord(answer: LineAnswer): z.infer<typeof rowSchema>['answer'] {
  if (answer.kind !== 'found') return answer.kind;
  return answer.matchesLog ? answer.verdict : 'does-not-match-log';
}

function restsOn(answer: LineAnswer, zone: string): string {
  const said = plainRestsOn(answer, zone);
  return answer.changed === undefined ? said : `${MAY_HAVE_CHANGED} ${answer.changed} ${said}`.trim();
}

function plainRestsOn(answer: LineAnswer, zone: string): string {
  switch (answer.kind) {
    case 'found':
      return answer.restsOn;
    case 'heading':
      return answer.states === undefined ? '' : `Read as the heading of the column${statesWords(answer.states)}`;
    case 'unreadable':
      return answer.why;
    case 'several':
      return `${answer.total} ${answer.total === 1 ? 'match' : 'matches'}`;
    case 'not-found':
      return answer.removedAt === null ? 'Not in this registry' : `Removed on ${todayIn(zone, answer.removedAt)}`;
    default:
      return '';
  }
}
