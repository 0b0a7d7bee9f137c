import { answerPdf } from '#app/platform/paper/pdf.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import { labelPdf, labelSheet, labelSvg } from './draw-label.server.ts';
import { LABELS_MAX } from './label.ts';
import { listLabels, type LabelsAnswer, type LabelServices } from './list-labels.server.ts';

const FILE = /^([^.]+)\.(svg|pdf)$/;

export type NoLabels = Exclude<LabelsAnswer, { state: 'found' }>;

/** The label named `{rego}.svg` or `{rego}.pdf`; `refuse` answers why there is none. */
export async function answerLabel(
  services: LabelServices,
  file: string,
  refuse: (refused: NoLabels, rego: string) => Response = ({ state }, rego) =>
    problemOf(state, `No vehicle with rego ${rego} is in this registry.`),
): Promise<Response> {
  const [, rego = '', kind] = FILE.exec(file) ?? [];
  if (kind === undefined) return problem(404, 'no-such-label', { detail: 'A label is at {rego}.svg or {rego}.pdf.' });
  const found = await listLabels(services, new URLSearchParams({ rego }));
  if (found.state !== 'found') return refuse(found, rego);
  const [label] = found.labels;
  if (label === undefined) throw new Error('a label was found and is not there');
  if (kind === 'pdf') return answerPdf(await labelPdf(label), `label-${label.rego}.pdf`);
  return new Response(await labelSvg(label), {
    headers: {
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-disposition': `inline; filename="label-${label.rego}.svg"`,
      'content-security-policy': "sandbox; default-src 'none'; style-src 'none'",
      'cache-control': 'no-cache',
    },
  });
}

/** A sheet of all that the parameters of `url` name or find; `refuse` answers why there is none. */
export async function answerSheet(
  services: LabelServices,
  url: URL,
  refuse: (refused: NoLabels) => Response = ({ state }) => problemOf(state, 'No vehicle is chosen, or none is found.'),
): Promise<Response> {
  const found = await listLabels(services, url.searchParams);
  if (found.state !== 'found') return refuse(found);
  return answerPdf(await labelSheet(found.labels, services.config.registryName), 'labels.pdf');
}

function problemOf(state: NoLabels['state'], none: string): Response {
  switch (state) {
    case 'none':
      return problem(404, 'vehicle-unknown', { detail: none });
    case 'too-many':
      return problem(400, 'too-many-labels', {
        detail: `You can print up to ${LABELS_MAX} labels at a time. Narrow the list, or tick some vehicles.`,
      });
    case 'no-public-url':
      return problem(409, 'no-public-address', {
        detail: 'No label can be made: this registry has no public address that a phone could open (PUBLIC_URL).',
      });
  }
}
