// Workbooks as Excel, Google Sheets, Numbers and LibreOffice write them: their own parts, styles and habits, made here
// and not by the library that reads them. Looked at in files of LibreOffice 7.4 and in the standards' examples.
import { utils, write } from '@e965/xlsx';
import { zipOf } from './zip.ts';

/** What stands in a cell: text, a number as a spreadsheet has it, a day, yes or no, a formula that says a text. */
export type SheetCell = string | number | boolean | { day: string } | { says: string } | { formula: string } | null;
export type SheetRows = readonly (readonly SheetCell[])[];

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
export const serialOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 86_400_000 + 25_569;
const nameOf = (row: number, column: number): string => `${String.fromCharCode(65 + column)}${row + 1}`;

type XlsxHabits = {
  sheet: string;
  /** Of a day: built in (14), which follows the machine's country, or written out. */
  dayFormat: 14 | string;
  texts: 'shared' | 'inline';
  /** Empty rows that carry only a style. */
  styledRows: number;
  date1904?: boolean;
  others?: readonly string[];
};

export const EXCEL: XlsxHabits = { sheet: 'Fleet', dayFormat: 14, texts: 'shared', styledRows: 0, others: ['Sheet2'] };
export const EXCEL_FOR_MAC: XlsxHabits = { ...EXCEL, date1904: true };
export const GOOGLE: XlsxHabits = { sheet: 'Sheet1', dayFormat: 'd/m/yyyy', texts: 'shared', styledRows: 900 };
export const NUMBERS: XlsxHabits = {
  sheet: 'Sheet 1 - Table 1',
  dayFormat: 'd mmm yyyy',
  texts: 'inline',
  styledRows: 0,
};
export const LIBRE: XlsxHabits = { sheet: 'Sheet1', dayFormat: 'dd/mm/yy', texts: 'shared', styledRows: 0 };

export function xlsxOf(
  rows: SheetRows,
  { sheet, dayFormat, texts, styledRows, date1904, others = [] }: XlsxHabits,
): Buffer {
  const shared: string[] = [];
  const textCell = (at: string, text: string): string => {
    const said = `<t xml:space="preserve">${escaped(text)}</t>`;
    if (texts === 'inline') return `<c r="${at}" t="inlineStr"><is>${said}</is></c>`;
    return `<c r="${at}" s="0" t="s"><v>${shared.push(`<si>${said}</si>`) - 1}</v></c>`;
  };
  const cellOf = (cell: SheetCell, at: string): string => {
    if (cell === null) return `<c r="${at}" s="0"/>`;
    if (typeof cell === 'string') return textCell(at, cell);
    if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`;
    if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${Number(cell)}</v></c>`;
    if ('day' in cell) return `<c r="${at}" s="1"><v>${serialOf(cell.day) - (date1904 === true ? 1462 : 0)}</v></c>`;
    if ('formula' in cell) return `<c r="${at}"><f>${escaped(cell.formula)}</f></c>`;
    const said = escaped(cell.says);
    return `<c r="${at}" t="str"><f>&quot;${said.replaceAll('&quot;', '&quot;&quot;')}&quot;</f><v>${said}</v></c>`;
  };
  const lines = rows.flatMap((cells, row) =>
    cells.length === 0
      ? []
      : `<row r="${row + 1}">${cells.map((cell, column) => cellOf(cell, nameOf(row, column))).join('')}</row>`,
  );
  const styled = Array.from(
    { length: styledRows },
    (_, n) => `<row r="${rows.length + n + 1}" customHeight="1" ht="15"/>`,
  );
  const numFmt =
    typeof dayFormat === 'string'
      ? `<numFmts count="1"><numFmt numFmtId="164" formatCode="${dayFormat}"/></numFmts>`
      : '';
  const names = [sheet, ...others];
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packages = 'http://schemas.openxmlformats.org/package/2006';
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n';
  const sheetOf = (data: string) => `${head}<worksheet xmlns="${main}"><sheetData>${data}</sheetData></worksheet>`;
  return zipOf({
    '[Content_Types].xml': `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/>${names.map((_, n) => `<Override PartName="/xl/worksheets/sheet${n + 1}.xml" ContentType="${type}.worksheet+xml"/>`).join('')}<Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${type}.sharedStrings+xml"/></Types>`,
    '_rels/.rels': `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${office}"><workbookPr${date1904 === true ? ' date1904="1"' : ''}/><sheets>${names.map((name, n) => `<sheet name="${escaped(name)}" sheetId="${n + 1}" r:id="rId${n + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${packages}/relationships">${names.map((_, n) => `<Relationship Id="rId${n + 1}" Type="${office}/worksheet" Target="worksheets/sheet${n + 1}.xml"/>`).join('')}<Relationship Id="rId98" Type="${office}/styles" Target="styles.xml"/><Relationship Id="rId99" Type="${office}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    'xl/styles.xml': `${head}<styleSheet xmlns="${main}">${numFmt}<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" xfId="0"/><xf numFmtId="${typeof dayFormat === 'string' ? 164 : dayFormat}" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': sheetOf([...lines, ...styled].join('')),
    ...Object.fromEntries(others.map((_, n) => [`xl/worksheets/sheet${n + 2}.xml`, sheetOf('')])),
    'xl/sharedStrings.xml': `${head}<sst xmlns="${main}" count="${shared.length}" uniqueCount="${shared.length}">${shared.join('')}</sst>`,
  });
}

/** As LibreOffice writes it: what repeats is said once, to the last row of the sheet. */
export function odsOf(rows: SheetRows): Buffer {
  const paragraphs = (text: string) =>
    text
      .split('\n')
      .map((line) => `<text:p>${escaped(line)}</text:p>`)
      .join('');
  const cellOf = (cell: SheetCell): string => {
    const typed = (type: string, attributes: string, shown: string) =>
      `<table:table-cell office:value-type="${type}" ${attributes}>${paragraphs(shown)}</table:table-cell>`;
    if (cell === null) return '<table:table-cell/>';
    if (typeof cell === 'string') return typed('string', 'calcext:value-type="string"', cell);
    if (typeof cell === 'number') return typed('float', `office:value="${cell}"`, String(cell));
    if (typeof cell === 'boolean') return typed('boolean', `office:boolean-value="${cell}"`, cell ? 'TRUE' : 'FALSE');
    if ('day' in cell) {
      const [year = '', month = '', day = ''] = cell.day.split('-');
      return typed(
        'date',
        `table:style-name="ce1" office:date-value="${cell.day}"`,
        `${day}/${month}/${year.slice(2)}`,
      );
    }
    const formula = 'says' in cell ? `"${cell.says.replaceAll('"', '""')}"` : cell.formula;
    return typed('string', `table:formula="of:=${escaped(formula)}"`, 'says' in cell ? cell.says : '#VALUE!');
  };
  const lines = rows.map((cells) =>
    cells.length === 0
      ? '<table:table-row><table:table-cell table:number-columns-repeated="1024"/></table:table-row>'
      : `<table:table-row>${cells.map(cellOf).join('')}<table:table-cell table:number-columns-repeated="1015"/></table:table-row>`,
  );
  const space = (name: string, of = name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${of}:1.0"`;
  const spaces = `${space('office')} ${space('table')} ${space('text')} ${space('style')} ${space('number', 'datastyle')} xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"`;
  const slash = '<number:text>/</number:text>';
  return zipOf({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'META-INF/manifest.xml': `<?xml version="1.0"?><manifest:manifest ${space('manifest')}><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
    'styles.xml': `<?xml version="1.0" encoding="UTF-8"?><office:document-styles ${spaces} office:version="1.3"><office:styles/></office:document-styles>`,
    'content.xml': `<?xml version="1.0" encoding="UTF-8"?><office:document-content ${spaces} office:version="1.3"><office:automatic-styles><number:date-style style:name="N37" number:automatic-order="true"><number:day number:style="long"/>${slash}<number:month number:style="long"/>${slash}<number:year/></number:date-style><style:style style:name="ce1" style:family="table-cell" style:data-style-name="N37"/></office:automatic-styles><office:body><office:spreadsheet><table:table table:name="Fleet"><table:table-column table:number-columns-repeated="1024"/>${lines.join('')}<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="1024"/></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`,
  });
}

/** Excel 97 to 2003. Its binary parts are written by the library; LibreOffice reads them the same. */
export function xlsOf(rows: SheetRows): Buffer {
  const sheet = utils.aoa_to_sheet(
    rows.map((cells) =>
      cells.map((cell) => {
        if (cell === null || typeof cell !== 'object') return cell;
        if ('day' in cell) return { t: 'n', v: serialOf(cell.day), z: 'dd/mm/yyyy' };
        return 'says' in cell ? cell.says : { t: 'e', v: 0x0f };
      }),
    ),
  );
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, 'Fleet');
  const bytes: unknown = write(book, { type: 'buffer', bookType: 'biff8' });
  if (!Buffer.isBuffer(bytes)) throw new Error('no workbook was written');
  return bytes;
}

type CsvHabits = {
  delimiter: string;
  end: string;
  quotes: 'needed' | 'texts';
  day: (day: string) => string;
  before?: string;
};

const two = (text: string) => text.split('-').toReversed();
const withoutZeros = (text: string) => text.replaceAll(/\b0/g, '');
/** 3/04/2027, as Windows in Australia writes it. */
export const EXCEL_CSV: CsvHabits = {
  delimiter: ',',
  end: '\r\n',
  quotes: 'needed',
  day: (day) => two(day).join('/').replace(/^0/, ''),
};
export const LIBRE_CSV: CsvHabits = {
  delimiter: ';',
  end: '\n',
  quotes: 'texts',
  day: (day) =>
    two(day)
      .join('/')
      .replace(/..(..)$/, '$1'),
};
export const GOOGLE_CSV: CsvHabits = {
  delimiter: ',',
  end: '\r\n',
  quotes: 'needed',
  day: (day) => withoutZeros(two(day).join('/')),
};
export const NUMBERS_CSV: CsvHabits = {
  delimiter: ';',
  end: '\r\n',
  quotes: 'needed',
  day: (day) => two(day).join('.'),
};
export const PASTED: CsvHabits = { ...EXCEL_CSV, delimiter: '\t' };

/** A number as Excel shows it in a cell without a format. */
export function generalOf(number: number): string {
  if (Number.isInteger(number) && Math.abs(number) < 1e11) return String(number);
  if (Math.abs(number) < 1e11) return String(Number(number.toPrecision(10)));
  const [digits = '', power = ''] = number.toExponential(5).split('e+');
  return `${digits.replace(/\.?0+$/, '')}E+${power.padStart(2, '0')}`;
}

export function csvOf(rows: SheetRows, { delimiter, end, quotes, day, before = '' }: CsvHabits): string {
  const shown = (cell: SheetCell): string => {
    if (cell === null) return '';
    if (typeof cell === 'string') return cell;
    if (typeof cell === 'number') return generalOf(cell);
    if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
    if ('day' in cell) return day(cell.day);
    return 'says' in cell ? cell.says : '#VALUE!';
  };
  const quoted = (cell: SheetCell): string => {
    const text = shown(cell);
    const needs = text.includes(delimiter) || /["\r\n]/.test(text) || (quotes === 'texts' && typeof cell === 'string');
    return needs ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return before + rows.map((cells) => cells.map(quoted).join(delimiter) + end).join('');
}
