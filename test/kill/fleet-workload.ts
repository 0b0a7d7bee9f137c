// Somebody who looks after vehicles: registers, calibrates, corrects, validates, updates with certificate and images,
// deletes and restores; one form after the other.
import { randomUUID } from 'node:crypto';
import { everySlipOf } from '#app/recording/entry-slips.ts';
import { CALIBRATION_ATTRIBUTES, type CalibrationAttribute } from '#app/readings/calibration.ts';
import type { DemoRandom } from '#commands/demo/random.ts';
import type { Answer, Ledger, Left } from './ledger.ts';
import type { State } from './state.ts';
import { linksIn, uploadFile, type Upload } from './uploads.ts';
import { formOf, inputsIn, multipartOf, removedId, type Visitor } from './visitor.ts';

type Fleet = {
  rego: string;
  version: number;
  validated: boolean;
  readings: { id: string; value: string; attribute: CalibrationAttribute }[];
  images: string[];
  certificate: string | undefined;
};

type Tools = { visitor: Visitor; ledger: Ledger; random: DemoRandom; jpeg: () => Promise<Buffer> };

const NEW_ONES = 3;
const seeOther = (path: RegExp | string) => (answer: Answer) =>
  answer.status === 303 && (typeof path === 'string' ? answer.location === path : path.test(answer.location));

export class FleetWorkload {
  readonly #visitor: Visitor;
  readonly #ledger: Ledger;
  readonly #random: DemoRandom;
  readonly #name: string;
  readonly #isAdmin: boolean;
  readonly #shared: string;
  readonly #tools: Tools;
  readonly #live: Fleet[] = [];
  /** How many readings of each vehicle this workload recorded. Each fourth completes a visit and closes it. */
  readonly #recorded = new Map<string, number>();
  #made = 0;

  /** `name`: of two capital letters; `shared`: a vehicle that every workload calibrates. */
  constructor(tools: Tools, who: { name: string; isAdmin: boolean; shared: string }) {
    this.#visitor = tools.visitor;
    this.#ledger = tools.ledger;
    this.#random = tools.random;
    this.#tools = tools;
    this.#name = who.name;
    this.#isAdmin = who.isAdmin;
    this.#shared = who.shared;
  }

  /** One form. False: no answer came. */
  async next(): Promise<boolean> {
    if (this.#live.length < NEW_ONES) return this.#register();
    const vehicle = this.#random.pick(this.#live);
    const chance = this.#random.whole(1, 100);
    if (chance <= 28) return this.#calibrate(vehicle.rego, vehicle);
    if (chance <= 38) return this.#calibrate(this.#shared, undefined);
    if (chance <= 50 && vehicle.readings.length > 0) return this.#correct(vehicle);
    if (chance <= 75) return this.#update(vehicle);
    if (chance <= 85 || !this.#isAdmin) return this.#register();
    if (chance <= 94) return this.#validate(vehicle);
    return this.#deleteAndRestore(vehicle);
  }

  #mark(prefix: string): string {
    this.#made += 1;
    return `${prefix}${this.#name}${this.#made}`;
  }

  #calibrate(rego: string, vehicle: Fleet | undefined): Promise<boolean> {
    const value = this.#value();
    const key = randomUUID();
    const attribute = this.#nextAttribute(rego);
    const fields = { rego, ...readingOf(attribute, value), form_key: key };
    return this.#ledger.perform({
      kind: 'calibration recorded',
      mark: `${rego} ${value}`,
      send: (signal) => this.#visitor.post(`/vehicles/view/${rego}`, formOf(fields), { signal }),
      isDone: seeOther(new RegExp(`^/vehicles/view/${rego}\\?calibrate`)),
      parts: (state) => ({
        record: state.calibrations(value).length,
        entry: state.entriesSaying('calibration.recorded', `${rego}: DRIVE ${attribute} ${value}`),
        leaf: state.leavesOfValue(value),
        key: state.hasForm(key),
      }),
      again: 'same',
      onDone: () => vehicle?.readings.push({ id: '', value, attribute }),
    });
  }

  async #correct(vehicle: Fleet): Promise<boolean> {
    const [wrong] = vehicle.readings;
    if (wrong === undefined) return true;
    // Its id stands on the vehicle's page.
    const id = wrong.id === '' ? await this.#idOf(vehicle.rego, wrong.value) : wrong.id;
    if (id === undefined) return true;
    vehicle.readings.shift();
    const value = this.#value();
    const key = randomUUID();
    const reason = `misread ${value}`;
    const { attribute } = wrong;
    const fields = { ...readingOf(attribute, value), reason, form_key: key };
    const { rego } = vehicle;
    const details = `${rego}: DRIVE ${attribute} ${value} instead of DRIVE ${attribute} ${wrong.value}: ${reason}`;
    return this.#ledger.perform({
      kind: 'calibration corrected',
      mark: `${rego} ${value} instead of ${wrong.value}`,
      send: (signal) => this.#visitor.post(`/calibrations/correct/${rego}/${id}`, formOf(fields), { signal }),
      isDone: seeOther(new RegExp(`^/calibrations/${rego}/\\d+$`)),
      parts: (state) => ({
        record: state.calibrations(value).length,
        entry: state.entriesSaying('calibration.corrected', details),
        leaf: state.leavesOfValue(value),
        key: state.hasForm(key),
      }),
      again: 'same',
      onDone: ({ location }) => vehicle.readings.push({ id: location.split('/').at(-1) ?? '', value, attribute }),
    });
  }

  async #idOf(rego: string, value: string): Promise<string | undefined> {
    const text = await this.#visitor.page(`/api/v1/vehicles/${rego}/calibrations`);
    if (text === undefined) return undefined;
    const around =
      new RegExp(`\\{[^{}]*"calibration_value":"${value.replace('.', '\\.')}"[^{}]*\\}`).exec(text)?.[0] ?? '';
    return /"id":"?(\d+)/.exec(around)?.[1];
  }

  async #register(): Promise<boolean> {
    const rego = this.#mark('K');
    const notes = `as registered ${rego}`;
    const files =
      this.#random.whole(1, 3) === 1 ? [await this.#upload('certificate'), await this.#upload('image')] : [];
    if (files.includes(undefined)) return false;
    const uploads = files.flatMap((file) => (file === undefined ? [] : [file]));
    const key = randomUUID();
    const vin = `6F5${String(this.#random.whole(1, 999_999)).padStart(6, '0')}`;
    const form = multipartOf([
      ...Object.entries({ rego, vin, make: 'Kenworth', axle_groups: 'DRIVE', notes, form_key: key }),
      ...uploads.map(({ role, id }) => [role, id] as const),
    ]);
    return this.#ledger.perform({
      kind: 'vehicle registered',
      mark: rego,
      send: (signal) => this.#visitor.post('/vehicles/new', form, { signal }),
      isDone: seeOther(`/vehicles?at=${rego}#${rego}`),
      parts: (state) => {
        const rows = state.vehicles(rego);
        return {
          record: rows.length,
          entry: state.entriesSaying('vehicle.added', `${rego} added`),
          leaf: rows.reduce((n, { id }) => n + state.leaves('vehicle.registered', 'vehicle', id), 0),
          key: state.hasForm(key),
          ...linksIn(state, uploads),
        };
      },
      left: [{ of: `vehicle ${rego}`, fields: { notes, deleted: false, calibrationValidated: false } }],
      again: 'same',
      onDone: () =>
        this.#live.push({
          rego,
          version: 1,
          validated: false,
          readings: [],
          images: uploads.filter(({ role }) => role === 'image').map(({ name }) => name),
          certificate: uploads.find(({ role }) => role === 'certificate')?.name,
        }),
    });
  }

  async #update(vehicle: Fleet): Promise<boolean> {
    const { rego } = vehicle;
    const page = await this.#visitor.page(`/vehicles/update/${rego}`);
    if (page === undefined) return true;
    const notes = this.#mark('note ');
    const key = randomUUID();
    const choice = this.#random.whole(1, 6);
    const role = choice === 1 ? 'certificate' : 'image';
    const upload = choice <= 2 ? await this.#upload(role) : undefined;
    if (choice <= 2 && upload === undefined) return false;
    const uploads = upload === undefined ? [] : [upload];
    const dropsCertificate = choice === 3 && vehicle.certificate !== undefined;
    const dropsImage = choice === 4 && vehicle.images.length > 0;
    const form = multipartOf([
      ['version', inputsIn(page, 'version')[0] ?? ''],
      ['vin', inputsIn(page, 'vin')[0] ?? ''],
      ['axle_groups', 'DRIVE'],
      ['notes', notes],
      ['calibration_validated', vehicle.validated ? 'yes' : 'no'],
      ['form_key', key],
      ...uploads.map(({ role, id }) => [role, id] as const),
      ...(dropsCertificate ? [['remove_certificate', 'yes'] as const] : []),
      ...(dropsImage
        ? inputsIn(page, 'remove_image')
            .slice(0, 1)
            .map((id) => ['remove_image', id] as const)
        : []),
    ]);
    const gone = [
      ...(dropsCertificate || upload?.role === 'certificate' ? [vehicle.certificate] : []),
      ...(dropsImage ? [vehicle.images[0]] : []),
    ].filter((name) => name !== undefined);
    return this.#ledger.perform({
      kind: `vehicle updated${upload === undefined ? '' : `, ${role} added`}${gone.length > 0 ? `, ${gone.join()} removed` : ''}`,
      mark: `${rego} ${notes}`,
      send: (signal) => this.#visitor.post(`/vehicles/update/${rego}`, form, { signal }),
      isDone: seeOther(`/vehicles/view/${rego}`),
      parts: (state) => ({
        entry: state.entriesNoting('vehicle.updated', notes),
        key: state.hasForm(key),
        ...linksIn(state, uploads),
      }),
      left: [
        { of: `vehicle ${rego}`, fields: { notes, deleted: false } },
        ...gone.map((name) => ({ of: `file ${name}`, fields: { removed: true } })),
      ],
      again: 'same',
      onDone: () => {
        if (upload?.role === 'image') vehicle.images.push(upload.name);
        if (upload?.role === 'certificate') vehicle.certificate = upload.name;
        if (dropsCertificate) vehicle.certificate = undefined;
        if (dropsImage) vehicle.images.shift();
      },
    });
  }

  #upload(role: Upload['role']): Promise<Upload | undefined> {
    const name = `${this.#mark(role)}.${role === 'certificate' ? 'pdf' : 'jpg'}`;
    return uploadFile(this.#tools, role, name);
  }

  #validate(vehicle: Fleet): Promise<boolean> {
    const { rego } = vehicle;
    const validated = !vehicle.validated;
    const reason = this.#mark('reason ');
    const key = randomUUID();
    const fields = { validated: validated ? 'yes' : 'no', reason, form_key: key };
    const type = validated ? 'calibration.validated' : 'calibration.unvalidated';
    return this.#ledger.perform({
      kind: validated ? 'vehicle validated' : 'validation withdrawn',
      mark: `${rego} ${reason}`,
      send: (signal) => this.#visitor.post(`/vehicles/validate/${rego}`, formOf(fields), { signal }),
      isDone: seeOther(`/vehicles/view/${rego}`),
      parts: (state) => ({
        record: state.validations(reason).length,
        entry: state.entriesSaying(validated ? 'vehicle.validated' : 'validation.withdrawn', `${rego}: ${reason}`),
        leaf: state.validations(reason).reduce((n, { id }) => n + state.leaves(type, 'validation', id), 0),
        key: state.hasForm(key),
      }),
      left: [{ of: `vehicle ${rego}`, fields: { calibrationValidated: validated } }],
      again: 'same',
      onDone: () => (vehicle.validated = validated),
    });
  }

  async #deleteAndRestore(vehicle: Fleet): Promise<boolean> {
    this.#live.splice(this.#live.indexOf(vehicle), 1);
    const { rego } = vehicle;
    const fields = { form_key: randomUUID() };
    const change = (state: State, kind: string, type: string, key: string) => ({
      entry: state.entriesAbout(kind, state.vehicles(rego)[0]?.id ?? ''),
      leaf: state.leaves(type, 'vehicle', state.vehicles(rego)[0]?.id ?? ''),
      key: state.hasForm(key),
    });
    const left = (deleted: boolean): readonly Left[] => [{ of: `vehicle ${rego}`, fields: { deleted } }];
    const isDeleted = await this.#ledger.perform({
      kind: 'vehicle deleted',
      mark: rego,
      send: (signal) => this.#visitor.post(`/vehicles/delete/${rego}`, formOf(fields), { signal }),
      isDone: seeOther('/vehicles'),
      parts: (state) => change(state, 'vehicle.removed', 'vehicle.deleted', fields.form_key),
      left: left(true),
      again: 'same',
    });
    if (!isDeleted || this.#random.whole(1, 2) === 1) return isDeleted;
    // The newest stand first among the deleted ones.
    const page = await this.#visitor.page('/vehicles/removed');
    const id = page === undefined ? undefined : removedId(page, rego);
    if (id === undefined) return true;
    const restoring = { id, form_key: randomUUID() };
    return this.#ledger.perform({
      kind: 'vehicle restored',
      mark: rego,
      send: (signal) => this.#visitor.post('/vehicles/removed', formOf(restoring), { signal }),
      isDone: seeOther(`/vehicles/view/${rego}`),
      parts: (state) => change(state, 'vehicle.restored', 'vehicle.restored', restoring.form_key),
      left: left(false),
      again: 'same',
    });
  }

  #nextAttribute(rego: string): CalibrationAttribute {
    const nth = this.#recorded.get(rego) ?? 0;
    this.#recorded.set(rego, nth + 1);
    return CALIBRATION_ATTRIBUTES[nth % CALIBRATION_ATTRIBUTES.length]?.attribute ?? 'Empty Volt';
  }

  // Found nowhere else: the workload's letters are in it as a number.
  #value(): string {
    this.#made += 1;
    return `${this.#made}.${[...this.#name].map((letter) => letter.charCodeAt(0)).join('')}`;
  }
}

// The workloads' values are like no truck's: each is confirmed, and the visits wait.
const readingOf = (attribute: CalibrationAttribute, value: string) => ({
  axle: 'drive',
  attribute,
  value,
  due_date: '',
  confirmed: 'yes',
  all_the_same: everySlipOf({ axle: 'DRIVE', attribute, value }),
});
