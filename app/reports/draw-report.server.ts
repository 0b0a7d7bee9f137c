// Draws a report as PDF, on one page if it fits, with real text in reading order.
import { heldWords } from '#app/readings/visit-trailers.ts';
import { drawQr } from '#app/labels/draw-label.server.ts';
import { qrRuns } from '#app/platform/paper/qr.server.ts';
import { CALIBRATION_ATTRIBUTES } from '#app/readings/calibration.ts';
import type { HistoryVisit } from '#app/visits/history.ts';
import type { ShownLine } from '#app/readings/present-lines.ts';
import { drawFeet, Flow, INKS } from '#app/platform/paper/pdf-flow.server.ts';
import { artifact, makePdf, NOT_SHOWN, POINTS_PER_MM, type Drawing } from '#app/platform/paper/pdf.server.ts';
import type { Verdict } from '#app/vehicles/verdict-table.ts';
import { METHOD, type Report } from './report.ts';

const A4 = [595.28, 841.89] as const;
const MARGIN = 15 * POINTS_PER_MM;
const QR_SIZE = 28 * POINTS_PER_MM;

// Ground and edge, as on the screen (app/ui/tokens.css).
const EDGES: Record<Verdict | 'past', string> = {
  valid: '#0a5a35',
  'due-soon': '#8a5a00',
  overdue: '#a01414',
  'not-validated': '#434d58',
  'never-calibrated': '#11171d',
  past: '#11171d',
};

export async function reportPdf(report: Report): Promise<Uint8Array> {
  const margins = { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN };
  const settings = { title: `${report.title} of ${report.rego}`, author: report.registryName, size: A4, margins };
  return makePdf(settings, async (drawing) => {
    const flow = new Flow(drawing);
    drawHead(flow, report);
    flow.heading('H2', 'Vehicle and scale');
    flow.facts(report.item);
    if (report.calibration.length > 0) {
      flow.heading('H2', 'Calibration');
      flow.facts(report.calibration);
    }
    await drawEvidence(flow, report);
    flow.heading('H2', 'Method');
    flow.paragraph(METHOD);
    await drawLines(flow, report);
    await drawErrors(flow, report);
    await drawVisits(flow, report);
    if (report.missing !== '') flow.section('Not recorded', [{ text: report.missing, size: 7.5 }]);
    drawLog(flow, report, drawing);
    drawCode(flow, report);
    drawFeet(drawing, `${report.registryName} · Report ${report.id}`);
  });
}

function drawHead(flow: Flow, report: Report): void {
  const { verdict, address } = report;
  const width = flow.width - QR_SIZE - 16;
  const top = flow.y;
  flow.paragraph(report.registryName, { size: 9, bold: true, color: INKS.quiet, width });
  flow.heading('H1', `${report.title} of ${report.rego}`, width);
  const begin = flow.y + 3;
  const edge = verdict.look === null ? EDGES.overdue : EDGES[verdict.look];
  flow.y = begin;
  flow.paragraph(verdict.word, { size: 15, bold: true, color: edge, width });
  flow.paragraph(verdict.sentence, { size: 9.5, bold: true, width });
  flow.paragraph(`As at ${report.asAt}. Rules version ${report.policyVersion}.`, { width });
  artifact(flow.doc, () =>
    flow.doc
      .moveTo(flow.left - 6, begin)
      .lineTo(flow.left - 6, flow.y)
      .lineWidth(3)
      .stroke(edge),
  );
  flow.figure(`QR code of ${address}`, { x: flow.left + flow.width - QR_SIZE, y: top }, (x, y) =>
    drawQr(flow.doc, qrRuns(address), { x, y, size: QR_SIZE }),
  );
  flow.y = Math.max(flow.y, top + QR_SIZE);
  flow.paragraph(`Printed reports go out of date. Scan the code above for the live page: ${address}`, {
    color: INKS.quiet,
  });
}

// The line and the notes, and the checks of the visit that rules and of the newest that waits.
async function drawEvidence(flow: Flow, { evidence: { line, notes, ruling, waiting } }: Report): Promise<void> {
  const cards = [ruling, waiting].filter((card) => card !== null);
  if (line === null && notes.length === 0 && cards.length === 0) return;
  flow.heading('H2', 'What this verdict rests on');
  if (line !== null) flow.paragraph(`${line.lead}${line.rest}`, { bold: true });
  for (const { lead, rest } of notes) flow.paragraph(`${lead} ${rest}`);
  for (const { title, visit, about, groups, foot, policyVersion } of cards) {
    if (title !== 'What this verdict rests on') flow.heading('H2', title);
    flow.paragraph([visit, about].filter((words) => words !== '').join('. '));
    if (groups.length === 0) continue;
    await flow.table(
      [
        { heading: 'Check', width: 22 },
        { heading: 'Rule', width: 12 },
        { heading: 'Answer', width: 14 },
        { heading: 'What was found', width: 60 },
      ],
      groups.flatMap(({ checks }) =>
        checks.map(({ name, isRequired, answer, sentence }) => [
          name,
          isRequired ? 'required' : 'noted',
          answer,
          sentence,
        ]),
      ),
      [{ text: `${foot}${policyVersion === null ? '' : ` Held against rules version ${policyVersion}.`}`, size: 7.5 }],
    );
  }
}

async function drawLines(flow: Flow, { lines }: Report): Promise<void> {
  flow.heading('H2', 'Calibration lines');
  if (lines === null) {
    flow.paragraph('No axle has all four readings from one visit, so there is no calibration line.');
    return;
  }
  // Once for all of them: the report of one calibration stays on one page.
  const unnamed = lines.lines.flatMap((line) => (isNamed(line) ? [] : [line.label])).join(', ');
  await flow.table(
    [
      { heading: 'Axle', width: 15 },
      { heading: 'Measured', width: 23 },
      { heading: 'Slope, kg/V', width: 12 },
      { heading: 'Offset, kg', width: 12 },
      { heading: 'Error', width: 20 },
      { heading: 'Agreement with the previous calibration', width: 34 },
    ],
    lines.lines.map((line) => lineCells(isNamed(line) ? line : { ...line, held: '' })),
    [
      {
        text: `${lines.tolerance}. Disagreement can hold a visit back; it never worsens a verdict that stands. ${lines.reference}${unnamed === '' ? '' : ` ${UNNAMED} (${unnamed})`}`,
        size: 7.5,
        color: INKS.quiet,
      },
    ],
  );
}

const { lead: UNNAMED } = heldWords('');
const isNamed = ({ held }: ShownLine): boolean => !held.startsWith(UNNAMED);

function lineCells({
  label,
  day,
  points,
  slope,
  offset,
  check,
  asFound,
  remarks,
  held,
  agreement,
}: ShownLine): string[] {
  return [
    `${label}, ${day}`,
    points.map(({ read, weighed }) => `${read} = ${weighed}`).join('; '),
    slope,
    offset,
    [
      check === null ? 'No check load' : `Check load ${check}`,
      asFound === null ? 'no as-found readings' : `as found: ${asFound}`,
    ].join('; '),
    [`${agreement.word}. ${agreement.sentence}`, ...remarks, held].filter(Boolean).join(' '),
  ];
}

async function drawErrors(flow: Flow, { errors, evidence }: Report): Promise<void> {
  const ofVerdict = evidence.errors?.groups.flatMap(({ checks }) => checks) ?? [];
  const rows = errors?.rows ?? ofVerdict.map(({ name, sentence, answer }) => [name, sentence, answer]);
  if (rows.length === 0) return;
  flow.heading('H2', 'Error at the check load');
  await flow.table(
    [
      { heading: 'Group', width: 16 },
      { heading: 'What the scale showed', width: 74 },
      { heading: 'In a word', width: 26 },
    ],
    rows.map((cells) => [...cells]),
    [{ text: errors?.foot ?? evidence.errors?.foot ?? '', size: 7.5, color: INKS.quiet }],
  );
}

async function drawVisits(flow: Flow, { visits, hasOlder, calibration, address }: Report): Promise<void> {
  flow.heading('H2', 'Readings');
  if (visits.length === 0) {
    flow.paragraph('No calibration is recorded.');
    return;
  }
  await flow.table(
    [
      { heading: 'Visit', width: 32 },
      { heading: 'Axle', width: 12 },
      ...CALIBRATION_ATTRIBUTES.map(({ attribute, unit }) => ({ heading: `${attribute}, ${unit}`, width: 16 })),
    ],
    visits.flatMap((visit) => visitRows(visit, calibration)),
    hasOlder
      ? [
          {
            text: `These are the newest visits. The whole history is at ${address.replace('/vehicles/view/', '/vehicles/history/')}`,
            size: 7.5,
          },
        ]
      : [],
  );
}

// Each row has the time of its visit, because any row may be the first of a page; the first has the remarks too.
// `above`: what stands above the table already, instead of the remarks.
function visitRows(visit: HistoryVisit, above: Report['calibration']): string[][] {
  const { at, technician, technicianRemovedOn, imported, due, about, rows, state } = visit;
  const said = [
    `${at}${imported ? ' (imported)' : ''}${technician === null ? '' : `, ${technician}`}`,
    ...(technicianRemovedOn === null ? [] : [`removed from this registry on ${technicianRemovedOn}`]),
    ...(about === '' ? [] : [about]),
    ...(due === null ? [] : [`due ${due}`]),
    ...(state === null ? [] : [state.words]),
  ].join('; ');
  return rows.map(({ axle, readings }, nth) => [
    nth === 0 && above.length === 0 ? said : at,
    axle,
    ...readings.map((cell) =>
      cell.length === 0
        ? 'N/A'
        : cell
            .map(({ value, superseded }) => `${value === '' ? 'N/A' : value}${superseded ? ' (corrected)' : ''}`)
            .join(', '),
    ),
  ]);
}

/** Small enough for the paper, and large enough for a camera: 0.5 mm a module or more. */
const CODE_SIZE = 270;
const CODE_HEADING = 60;

// The whole proof file, for where there is no network.
function drawCode(flow: Flow, { code, rego }: Report): void {
  if (code === null) return;
  flow.need(CODE_SIZE + CODE_HEADING);
  flow.section('Proof to carry', [
    {
      text: `The code holds the whole proof file of ${rego}. Scan it, copy its text, and paste it under /field, Read a proof: that needs no network.`,
    },
  ]);
  flow.figure(`QR code of the proof file of ${rego}`, { x: flow.left, y: flow.y + 4 }, (x, y) =>
    drawQr(flow.doc, qrRuns(code, 'L'), { x, y, size: CODE_SIZE }),
  );
  flow.y += CODE_SIZE + 8;
}

function drawLog(flow: Flow, report: Report, { shown }: Drawing): void {
  const { log, id } = report;
  flow.section('Record', [
    ...(log === null
      ? [{ text: 'Not yet in the public log.' }]
      : [{ text: log.sentence }, { text: `Proof that anyone can check, also offline: ${log.proof}` }]),
    { text: `Report ${id}. It shows what has been recorded, not what the truck weighs.` },
    ...(shown(JSON.stringify(report)).includes(NOT_SHOWN)
      ? [
          {
            text: `${NOT_SHOWN} stands for characters that this PDF cannot show. The live page shows them.`,
            size: 7.5,
          },
        ]
      : []),
  ]);
}
