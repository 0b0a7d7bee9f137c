// An admin who looks after people, and those people: a request is sent, approved, the technician signs in and keeps a
// profile with a picture, and is removed; admins come and go.
import { randomUUID } from 'node:crypto';
import type { DemoRandom } from '#commands/demo/random.ts';
import { PASSWORD } from '#test/people.ts';
import { emailSegment } from '#app/people/email-key.ts';
import type { Answer, Ledger } from './ledger.ts';
import { formOf, inputsIn, multipartOf, Visitor } from './visitor.ts';

const FIRST_PASSWORD = 'typed by somebody else 4711';
const seeOther = (path: string) => (answer: Answer) => answer.status === 303 && answer.location === path;

type Tools = {
  url: string;
  /** The admin, signed in. */
  visitor: Visitor;
  ledger: Ledger;
  random: DemoRandom;
  jpeg: () => Promise<Buffer>;
};
type Technician = { email: string; visitor: Visitor };

export class PeopleWorkload {
  readonly #tools: Tools;
  readonly #name: string;
  readonly #applied: string[] = [];
  readonly #approved: string[] = [];
  readonly #technicians: Technician[] = [];
  readonly #admins: string[] = [];
  #made = 0;

  constructor(tools: Tools, name: string) {
    this.#tools = tools;
    this.#name = name;
  }

  /** One form. False: no answer came. */
  async next(): Promise<boolean> {
    const chance = this.#tools.random.whole(1, 100);
    const [approved] = this.#approved;
    if (approved !== undefined) return this.firstSignIn(approved);
    if (chance <= 30 || this.#applied.length === 0) return this.apply();
    if (chance <= 45) return this.approve();
    const technician = this.#technicians[0];
    if (chance <= 70 && technician !== undefined) return this.keepProfile(technician);
    if (chance <= 80 && this.#technicians.length > 1) return this.removeTechnician();
    if (chance <= 90 || this.#admins.length === 0) return this.addAdmin();
    return this.removeAdmin();
  }

  #email(what: string): string {
    this.#made += 1;
    return `${what}.${this.#name}${this.#made}@kill.example`.toLowerCase();
  }

  async apply(): Promise<boolean> {
    const email = this.#email('asks');
    const form = formOf({
      company_name: `Scales of ${email}`,
      abn: '51 824 753 556',
      trade_licence_num: 'SL-1',
      address: '',
      email,
      rep_name: 'Priya Raman',
      rep_contact: '',
      form_key: randomUUID(),
    });
    const anybody = new Visitor(this.#tools.url, 'anybody');
    return this.#tools.ledger.perform({
      kind: 'registration requested',
      mark: email,
      send: (signal) => anybody.post('/tech-register', form, { signal }),
      isDone: seeOther('/'),
      parts: (state) => ({
        record: state.applications(email).length,
        entry: state.entriesSaying('application.submitted', `${email} asked to be registered`),
        mail: Math.min(1, state.mails(email)),
      }),
      again: 'same',
      onDone: () => this.#applied.push(email),
    });
  }

  async approve(): Promise<boolean> {
    const email = this.#applied.shift();
    if (email === undefined) return true;
    const key = randomUUID();
    const form = formOf({ by: 'admin', password: FIRST_PASSWORD, form_key: key });
    return this.#tools.ledger.perform({
      kind: 'technician approved',
      mark: email,
      send: (signal) => this.#tools.visitor.post(`/applications/view/${emailSegment(email)}`, form, { signal }),
      isDone: seeOther('/applications'),
      parts: (state) => {
        const [technician] = state.technicians(email);
        return {
          record: state.technicians(email).length,
          decision: state.applications(email).filter(({ decision }) => decision === 'approved').length,
          account: state.accounts(email).length,
          entry: state.entriesSaying('technician.approved', `${email} approved`),
          leaf: technician === undefined ? 0 : state.leaves('technician.approved', 'technician', technician.id),
          key: state.hasForm(key),
        };
      },
      left: [{ of: `person ${email}`, fields: { deleted: false } }],
      again: 'same',
      onDone: () => this.#approved.push(email),
    });
  }

  /** Signs the technician in who was approved last, and leaves them to the caller. */
  async takeTechnician(): Promise<Visitor> {
    const email = this.#approved.at(-1);
    if (email === undefined || !(await this.firstSignIn(email))) throw new Error('no technician could sign in');
    const technician = this.#technicians.pop();
    if (technician === undefined) throw new Error('the technician has no session');
    return technician.visitor;
  }

  /** With the password that the admin typed, which is replaced at once. */
  async firstSignIn(email: string): Promise<boolean> {
    const visitor = new Visitor(this.#tools.url, `technician ${email}`);
    if (!(await this.#signIn(visitor, '/tech-login', email, FIRST_PASSWORD, '/new-password'))) return false;
    this.#approved.splice(this.#approved.indexOf(email), 1);
    const form = formOf({ current_password: FIRST_PASSWORD, password: PASSWORD, repeat: PASSWORD });
    return this.#tools.ledger.perform({
      kind: 'password changed',
      mark: email,
      send: async (signal) => {
        const answer = await visitor.post('/new-password', form, { signal });
        if (answer.status !== 302) return answer;
        // The answer was lost, and the session ended with the first password: the new one opens.
        return visitor.post('/tech-login', formOf({ email, password: PASSWORD }));
      },
      isDone: ({ status }) => status === 303,
      parts: (state) => ({
        entry: state.entriesAbout('password.changed', state.technicians(email)[0]?.id ?? ''),
        account: state.accounts(email).filter(({ mustChangePassword }) => !mustChangePassword).length,
      }),
      again: 'harmless',
      onDone: ({ cookie }) => {
        if (cookie !== '') visitor.cookie = cookie;
        this.#technicians.push({ email, visitor });
      },
    });
  }

  /** Signs an admin or technician in, as a write of the ledger. */
  async #signIn(visitor: Visitor, door: string, email: string, password: string, to: string): Promise<boolean> {
    const done = await this.#tools.ledger.perform({
      kind: 'signed in',
      mark: email,
      send: (signal) => visitor.post(door, formOf({ email, password }), { signal }),
      isDone: (answer) => seeOther(to)(answer) && answer.cookie !== '',
      parts: () => ({}),
      again: 'never',
      onDone: ({ cookie }) => (visitor.cookie = cookie),
    });
    return done;
  }

  async keepProfile({ email, visitor }: Technician): Promise<boolean> {
    const page = await visitor.page('/profile/update');
    if (page === undefined) return true;
    this.#made += 1;
    const notes = `profile ${this.#name}${this.#made}`;
    const key = randomUUID();
    const form = multipartOf([
      ['name', 'Priya Raman'],
      ['notes', notes],
      ['version', inputsIn(page, 'version')[0] ?? ''],
      ['form_key', key],
    ]);
    // The picture comes with the form, as from a browser without scripts.
    form.append('image_file', new Blob([new Uint8Array(await this.#tools.jpeg())]), `${this.#name}${this.#made}.jpg`);
    return this.#tools.ledger.perform({
      kind: 'profile changed, with a picture',
      mark: `${email} ${notes}`,
      send: (signal) => visitor.post('/profile/update', form, { signal }),
      isDone: seeOther('/my-profile'),
      parts: (state) => ({
        entry: state.entriesNoting('profile.updated', notes),
        key: state.hasForm(key),
      }),
      left: [{ of: `person ${email}`, fields: { notes } }],
      again: 'same',
    });
  }

  async removeTechnician(): Promise<boolean> {
    const technician = this.#technicians.shift();
    if (technician === undefined) return true;
    const { email } = technician;
    const key = randomUUID();
    // Of the account nothing opens any more.
    this.#tools.ledger.forget('technician approved', email);
    this.#tools.ledger.forget('password changed', email);
    this.#tools.ledger.endsWith(email);
    return this.#tools.ledger.perform({
      kind: 'technician removed',
      mark: email,
      send: (signal) =>
        this.#tools.visitor.post(`/technicians/delete/${emailSegment(email)}`, formOf({ form_key: key }), {
          signal,
        }),
      isDone: seeOther('/technicians'),
      parts: (state) => {
        const [technician] = state.technicians(email);
        return {
          record: technician?.deletedAt == null ? 0 : 1,
          entry: state.entriesSaying('technician.removed', `${email} removed`),
          leaf: technician === undefined ? 0 : state.leaves('technician.removed', 'technician', technician.id),
          key: state.hasForm(key),
        };
      },
      left: [{ of: `person ${email}`, fields: { deleted: true } }],
      again: 'same',
    });
  }

  async addAdmin(): Promise<boolean> {
    const email = this.#email('admin');
    const key = randomUUID();
    const form = multipartOf([
      ['email', email],
      ['name', 'Mia Kowalski'],
      ['password', FIRST_PASSWORD],
      ['form_key', key],
    ]);
    return this.#tools.ledger.perform({
      kind: 'admin added',
      mark: email,
      send: (signal) => this.#tools.visitor.post('/admins/new', form, { signal }),
      isDone: seeOther('/admins'),
      parts: (state) => ({
        record: state.admins(email).length,
        account: state.accounts(email).length,
        entry: state.entriesSaying('admin.added', `${email} added`),
        key: state.hasForm(key),
      }),
      left: [{ of: `person ${email}`, fields: { deleted: false } }],
      again: 'same',
      onDone: () => this.#admins.push(email),
    });
  }

  async removeAdmin(): Promise<boolean> {
    const email = this.#admins.shift();
    if (email === undefined) return true;
    const key = randomUUID();
    const form = formOf({ form_key: key });
    this.#tools.ledger.forget('admin added', email);
    return this.#tools.ledger.perform({
      kind: 'admin removed',
      mark: email,
      send: (signal) => this.#tools.visitor.post(`/admins/delete/${emailSegment(email)}`, form, { signal }),
      isDone: seeOther('/admins'),
      parts: (state) => ({
        record: state.admins(email)[0]?.deletedAt == null ? 0 : 1,
        entry: state.entriesSaying('admin.removed', `${email} removed`),
        key: state.hasForm(key),
      }),
      left: [{ of: `person ${email}`, fields: { deleted: true } }],
      again: 'same',
    });
  }
}
