// (b) What the database and its driver can do at most: a search with its exact total, a vehicle with its readings, and an
// insert that takes the vehicle's row lock; each the plain SQL over `pg`, its answer as JSON, and nothing else. Of a page,
// the one statement that it rests on, and React with as many elements. Of what the registry does when a calibration is
// recorded, all that is not HTTP: its function, called for each request. And what the libraries alone take for a page and
// for a form (bare-stack.ts).
import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import pg from 'pg';
import type { SignedIn } from '#app/access/session.server.ts';
import { calibrationSchema } from '#app/recording/calibration-entry.ts';
import { recordCalibration } from '#app/recording/record-calibration.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { openDatabase } from '#app/platform/database/database.server.ts';
import { vehiclePageStatement } from '#app/vehicle-page/read-vehicle-page.server.ts';
import { barePage } from './bare-page.ts';
import { bareStack } from './bare-stack.ts';

const pool = new pg.Pool({ connectionString: process.env['BARE_DATABASE'], max: Number(process.env['POOL']) });
const ZONE = 'Australia/Sydney';
const PAGE = 10;
const GRAM_MAX = 3;
// Far apart, so that another process with its own can be started at once.
let id = Date.now() * 1000;

const { db } = openDatabase({ connectionString: process.env['BARE_DATABASE'] ?? '' }, { max: 10 });
const technician = await someTechnician();
const statement = { name: 'page', text: vehiclePageStatement('', '', 'newest').compile(db).sql };
const like = process.env['PAGE'] ?? '';
const render = barePage(await (await fetch(like)).text());
const throughStack = await bareStack(like, { read: pageRow, record, log: logged });

const server = createServer((request, response) => {
  if (request.url?.startsWith('/vehicles/') === true) return void throughStack(request, response);
  const url = new URL(request.url ?? '/', 'http://x');
  request.resume();
  answer(url).then(
    (body) =>
      Buffer.isBuffer(body)
        ? send(response, 200, body, 'text/html')
        : send(response, 200, Buffer.from(JSON.stringify(body))),
    (error: unknown) => send(response, 500, Buffer.from(String(error))),
  );
});
server.listen(Number(process.env['PORT']), '127.0.0.1');

function answer(url: URL): Promise<unknown> {
  const rego = url.searchParams.get('rego') ?? '';
  if (url.pathname === '/search') return search(url.searchParams.get('q') ?? '', Number(url.searchParams.get('page')));
  if (url.pathname === '/page') return page(rego);
  if (url.pathname === '/logged') return logged(url.searchParams);
  return url.pathname === '/record' ? record(rego) : vehicle(rego);
}

async function page(rego: string): Promise<Buffer> {
  await pageRow(rego);
  return render();
}

async function pageRow(rego: string): Promise<void> {
  await pool.query({ ...statement, values: [rego, ''] });
}

async function search(needle: string, page: number) {
  const like = `%${needle}%`;
  const counted =
    needle.length <= GRAM_MAX
      ? await pool.query<{ n: string }>('select n from vehicle_gram_count where gram = $1', [needle])
      : await pool.query<{ n: string }>(
          `select count(*) as n from vehicle where deleted_at is null and (rego || ' ' || vin) like $1`,
          [like],
        );
  const total = Number(counted.rows[0]?.n ?? 0);
  if (total === 0) return { items: [], page: 1, total };
  const offset = (page - 1) * PAGE;
  const count = Math.min(PAGE, total - offset);
  const fromEnd = offset > total / 2;
  const { rows } = await pool.query(
    `select v.id, v.rego, v.vin, v.scale_serial_number, v.warranty_expires_on, v.next_calibration_due_on,
      v.calibration_validated, v.last_calibrated_at
    from (select rego from vehicle where deleted_at is null and (rego || ' ' || vin) like $1
      order by rego ${fromEnd ? 'desc' : 'asc'} limit $2 offset $3) k
    join vehicle v on v.rego = k.rego and v.deleted_at is null order by v.rego`,
    [like, count, fromEnd ? total - offset - count : offset],
  );
  return { items: rows, page, total };
}

async function vehicle(rego: string) {
  const found = await pool.query<{ id: string }>('select * from vehicle where rego = $1 and deleted_at is null', [
    rego,
  ]);
  const readings = await pool.query('select * from calibration where vehicle_id = $1 order by id desc', [
    found.rows[0]?.id,
  ]);
  return { vehicle: found.rows[0], readings: readings.rows };
}

async function record(rego: string) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const found = await client.query<{ id: string }>(
      'select id from vehicle where rego = $1 and deleted_at is null for update',
      [rego],
    );
    await client.query(
      `insert into bench.calibration (rego, id, vehicle_id, axle, attribute, value, calibrated_at)
      values ($1, $2, $3, 'STEER', 'Empty Weight', '5890', now())`,
      [rego, (id += 1), found.rows[0]?.id],
    );
    await client.query('commit');
  } finally {
    client.release();
  }
  return { recorded: true };
}

async function someTechnician(): Promise<SignedIn> {
  const { id, ...person } = await db
    .selectFrom('technician')
    .select(['id', 'personId', 'email', 'repName as name'])
    .where('deletedAt', 'is', null)
    .orderBy('email')
    .executeTakeFirstOrThrow();
  const signedIn = { sessionId: '', mustChangePassword: false, hasSecondFactor: false };
  return { ...signedIn, ...person, role: 'technician', recordId: id };
}

async function logged(form: FormData | URLSearchParams) {
  const rego = String(form.get('rego'));
  const input = calibrationSchema(todayIn(ZONE, new Date())).parse(Object.fromEntries(form));
  const answer = await recordCalibration(db, technician, rego, input, {
    now: new Date(),
    zone: ZONE,
    key: randomUUID(),
  });
  if (!answer.recorded) throw new Error(answer.reason);
  return answer;
}

function send(response: ServerResponse, status: number, body: Buffer, type = 'application/json'): void {
  response.writeHead(status, { 'content-type': type, 'content-length': body.length });
  response.end(body);
}
