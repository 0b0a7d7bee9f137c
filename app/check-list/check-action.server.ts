// The form of many trucks: a list as text or as a file. It is no write: nothing of it is stored.
import type { RouterContextProvider } from 'react-router';
import { visitorOf } from '#app/access/visitor.server.ts';
import { PUBLIC_FAILURES } from '#app/forms/public-failures.ts';
import { submitReadForm } from '#app/forms/submit-form.server.ts';
import { inThreadTurn } from '#app/platform/process/few-at-once.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { pageOf } from '#app/platform/http/page-number.ts';
import { askedDay } from './asked-day.server.ts';
import { checkList, costOf, type AskedPart } from './check-list.server.ts';
import type { CheckedAnswer } from './checked-list.ts';
import type { GivenLine } from './line-answer.ts';
import { refuseLines } from './line-limit.server.ts';
import type { ReadTable } from '#app/platform/http/read-workbook.server.ts';
import { textOfFile } from '#app/platform/http/table-file.server.ts';
import { listText, readList } from './read-list.server.ts';

type Input = { lines: GivenLine[] } & AskedPart;

export function checkAction(submission: { request: Request; context: Readonly<RouterContextProvider> }) {
  const { request, context } = submission;
  return submitReadForm<Input, 'list' | 'file' | 'on', CheckedAnswer>(submission, {
    failure: PUBLIC_FAILURES.check,
    nothing: 'Nothing was checked.',
    async read({ fields, files }) {
      const pasted = fields.get('list') ?? '';
      const file = files.findLast(({ field }) => field === 'file')?.bytes;
      const text: ReadTable = file === undefined ? { ok: true, text: pasted } : await textOfFile(file);
      const field = file === undefined ? 'list' : 'file';
      if (!text.ok) return { ok: false, values: { list: pasted }, errors: { file: text.message } };
      const read = await inThreadTurn(async () => readList(text.text));
      if (!read.ok) return { ok: false, values: { list: pasted }, errors: { [field]: read.message } };
      const on = fields.get('on') ?? '';
      const day = await askedDay(context.get(servicesContext), on, read.lines.length);
      if ('refusal' in day) return { ok: false, values: { list: pasted, on }, errors: { on: day.refusal } };
      const [show, told] = [fields.get('show') ?? '', fields.get('told') ?? ''];
      const part = { show, page: pageOf(fields.get('page')), told, day };
      const list = file === undefined ? pasted : listText(read.lines);
      return { ok: true, values: { list, on }, input: { lines: read.lines, ...part } };
    },
    async write({ input: { lines, ...part }, form: { fields, files } }) {
      const services = context.get(servicesContext);
      const { address } = visitorOf(request, context);
      const tooMany = await refuseLines(services, address, costOf(lines, part));
      if (tooMany !== undefined) return tooMany;
      const list = files.some(({ field }) => field === 'file') ? listText(lines) : (fields.get('list') ?? '');
      return { shown: true, more: { ...(await checkList(services, lines, part)), list } };
    },
  });
}
