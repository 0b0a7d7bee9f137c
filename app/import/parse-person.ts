// Admins, applications and technicians of the export in the registry's terms.
import { isObject, addressOfKey, RecordReader, shortName, type Note } from './record-reader.ts';

type Common = { email: string; name: string; notes: Note[]; unplaced: Record<string, unknown> };
export type ParsedAdmin = Common & {
  fields: { bornOn: string | null } & Record<
    'name' | 'phone' | 'address' | 'roleLabel' | 'gender' | 'notes' | 'imageUrl' | 'legacyUid',
    string
  >;
  addedAt: Date | null;
  addedBy: string;
  updatedAt: Date | null;
  updatedBy: string;
};
export type ParsedApplicant = Common & {
  fields: Record<'companyName' | 'abn' | 'tradeLicenceNum' | 'address' | 'repName' | 'repContact', string>;
  legacyUid: string;
  requestedAt: Date | null;
};

export function parseAdmin(key: string, value: unknown, zone: string): ParsedAdmin | { refused: string } {
  const begun = begin(key, value, zone);
  if ('refused' in begun) return begun;
  const { email, reader } = begun;
  const fields = {
    name: reader.text('name', 'expected'),
    phone: reader.text('phone'),
    address: reader.text('address'),
    bornOn: reader.day('dob'),
    roleLabel: reader.text('role'),
    gender: reader.text('gender'),
    notes: reader.text('notes'),
    imageUrl: reader.url('imageUrl', reader.text('imageUrl')),
    legacyUid: reader.text('uid'),
  };
  const dates = {
    addedAt: reader.instant('added_at'),
    addedBy: reader.text('added_by'),
    updatedAt: reader.instant('updated_at'),
    updatedBy: reader.text('updated_by'),
  };
  return { email, name: shortName(fields.name || email), fields, ...dates, ...reader.finish() };
}

/** Reads the record under `key` of Applications or Technicians. */
export function parseApplicant(key: string, value: unknown, zone: string): ParsedApplicant | { refused: string } {
  const begun = begin(key, value, zone);
  if ('refused' in begun) return begun;
  const { email, reader } = begun;
  const other = reader.text('trade_licence_number');
  const licence = reader.text('trade_licence_num');
  if (other !== '' && licence === '') reader.note('corrected', 'trade_licence_number read as trade_licence_num');
  if (other !== '' && licence !== '' && other !== licence)
    reader.refuse('trade_licence_number', other, 'trade_licence_number differs from trade_licence_num');
  if (other === '' && licence === '') reader.note('missing', 'no trade_licence_num');
  const fields = {
    companyName: reader.text('company_name', 'expected'),
    abn: reader.text('abn', 'expected'),
    tradeLicenceNum: licence === '' ? other : licence,
    address: reader.text('address'),
    repName: reader.text('rep_name'),
    repContact: reader.text('rep_contact'),
  };
  const rest = { legacyUid: reader.text('uid'), requestedAt: reader.instant('requested_at') };
  const name = shortName(fields.repName || fields.companyName || email);
  return { email, name, fields, ...rest, ...reader.finish() };
}

function begin(
  key: string,
  value: unknown,
  zone: string,
): { email: string; reader: RecordReader } | { refused: string } {
  if (!isObject(value)) return { refused: 'the record is not an object' };
  const email = addressOfKey(key);
  if (email === undefined) return { refused: 'the key is not an email address' };
  const reader = new RecordReader(value, zone);
  const stated = reader.text('email', 'expected');
  if (stated !== '' && addressOfKey(stated) !== email)
    reader.refuse('email', stated, `the field email ${JSON.stringify(stated.slice(0, 80))} differs from the key`);
  return { email, reader };
}
