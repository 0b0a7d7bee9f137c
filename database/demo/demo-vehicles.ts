// The trucks of the demo registry: what differs from truck to truck. The rest is drawn from a seeded generator.

/** S: steer axle, D: drive axle, A and B: the trailers. */
type DemoAxles = 'SD' | 'SDA' | 'SDAB';

type DemoExtra = {
  vin?: string;
  serial?: string;
  driver?: string;
  notes?: string;
  /** Days from today; null: no date is recorded. */
  warrantyIn?: number | null;
  fittedIn?: number;
  validated?: boolean;
  /** The vehicle has no due date of its own, though its calibrations have one. */
  dueLeftOut?: true;
  certificate?: true;
  images?: readonly string[];
  /** A new sensor: at the last visit the drive axle has another line than before. */
  newSensor?: true;
  /** The first reading names the technician by email, as some records of the former application do. */
  technicianByEmail?: true;
};

export type DemoVehicle = DemoExtra & {
  rego: string;
  make: string;
  model: string;
  company: string;
  place: string;
  axles: DemoAxles;
  visits: number;
  /** Days from today to the next due date; the last visit was 182 days before it. Not used without visits. */
  dueIn: number;
};

const MERRI = 'Merri Haulage Pty Ltd';
const COASTLINE = 'Coastline Quarries';
const YARRA = 'Yarra Spoil Removal';
const DARLING = 'Darling Downs Cartage';
const HARROW = 'Harrow Bulk';
const MALLEE = 'Mallee Grain Carriers';
const PILBARA = 'Pilbara Aggregates Pty Ltd';
const LIMESTONE = 'Limestone Coast Livestock';
const TOPEND = 'Top End Freightlines';
const DERWENT = 'Derwent Timber Haulage';
const MOLONGLO = 'Molonglo Civil';
const HUNTER = 'Hunter Valley Tippers';

export const DEMO_VEHICLES: readonly DemoVehicle[] = [
  truck('XV04KL', 'Volvo', 'FM 500', MERRI, 'Campbellfield, Vic', 'SDAB', 2, 174, {
    vin: '6T9HZ8FM2PA100418',
    serial: 'LC-40 221907',
    driver: 'Tom Barlow',
    notes: 'Lift axle up at calibration.',
    fittedIn: -507,
    warrantyIn: 587,
    certificate: true,
    images: ['truck.png', 'sensor.png', 'display.png', 'plate.png'],
  }),
  truck('XV11QT', 'Volvo', 'FH 540', MERRI, 'Campbellfield, Vic', 'SDA', 4, 9, {
    vin: 'YV2RT60D1MB901233',
    serial: 'LC-40 219340',
    warrantyIn: 83,
    certificate: true,
    images: ['left side.png', 'plate.png'],
  }),
  truck('XV27BD', 'Isuzu', 'FSR 140-260', COASTLINE, 'Port Kembla, NSW', 'SD', 5, -50, {
    vin: 'JALFSR34T97000126',
    serial: 'BW-2 00418',
    warrantyIn: -79,
    notes: 'Drive sensor replaced at the last visit.',
    newSensor: true,
    certificate: true,
    images: ['truck.png'],
  }),
  truck('XV38MN', 'Kenworth', 'T610SAR', HARROW, 'Horsham, Vic', 'SDAB', 1, 179, {
    vin: '6F5000000NA412077',
    serial: 'BW-2 00977',
    warrantyIn: 790,
    validated: false,
  }),
  truck('XV52TR', 'Mack', 'Metro-Liner', HARROW, '', 'SDA', 0, 0, {
    vin: '6U9MP44C7RX000871',
    serial: '',
    warrantyIn: null,
    driver: '',
  }),
  truck('CB71HW', 'Volvo', 'FM 500', MERRI, 'Wetherill Park, NSW', 'SDA', 3, 166, {
    vin: '6T9HZ8FM6PA100423',
    serial: 'LC-40 221911',
    warrantyIn: 587,
    certificate: true,
    images: ['truck.png', 'sensor.png'],
  }),
  truck('S194BKD', 'Volvo', 'FH 600', LIMESTONE, 'Mount Gambier, SA', 'SDAB', 6, 131, {
    vin: 'YV2RT60D8MB901259',
    serial: 'LC-40 220016',
    warrantyIn: 375,
    certificate: true,
    images: ['truck.png'],
  }),
  truck('1EPT208', 'Kenworth', 'T909', PILBARA, 'Karratha, WA', 'SDAB', 7, 88, {
    vin: '6F5000000NA412102',
    serial: 'BW-2 00981',
    warrantyIn: 266,
    certificate: true,
    images: ['truck.png', 'display.png'],
  }),
  truck('472XKM', 'Isuzu', 'FXZ 240-350', DARLING, 'Toowoomba, Qld', 'SDA', 4, 17, {
    vin: 'JALFSR34T97000188',
    serial: 'BW-2 00733',
    warrantyIn: 121,
  }),
  truck('CD18FJ', 'Mack', 'Super-Liner', TOPEND, 'Berrimah, NT', 'SDAB', 3, 154, {
    vin: '6U9MP44C7RX000905',
    serial: 'LC-40 223350',
    warrantyIn: 718,
    certificate: true,
  }),
  truck('CJ40PL', 'Scania', 'R 620', YARRA, 'Albury, NSW', 'SDA', 3, -10, { certificate: true }),
  truck('XV12DE', 'Kenworth', 'K220', MALLEE, 'Swan Hill, Vic', 'SDAB', 8, 120, {
    certificate: true,
    images: ['truck.png', 'plate.png'],
  }),
  truck('XV19RS', 'Scania', 'R 560', MALLEE, 'Mildura, Vic', 'SDA', 5, 96),
  truck('XV23GH', 'Mercedes-Benz', 'Actros 2658', YARRA, 'Dandenong South, Vic', 'SDA', 2, 0, {
    certificate: true,
    images: ['truck.png'],
  }),
  truck('XV31PC', 'DAF', 'CF 530', YARRA, 'Dandenong South, Vic', 'SDA', 3, 1),
  truck('XV44JB', 'Volvo', 'FH 540', MERRI, 'Campbellfield, Vic', 'SDAB', 4, 171, { technicianByEmail: true }),
  truck('XV 46 GP', 'Hino', '700 Series FS 2848', MERRI, 'Campbellfield, Vic', 'SD', 3, 63),
  truck('1HW6ZA', 'Iveco', 'S-Way 510', HARROW, 'Horsham, Vic', 'SDA', 1, 175, { validated: false, driver: '' }),
  truck('XV77WT', 'Freightliner', 'Cascadia 126', MALLEE, 'Swan Hill, Vic', 'SDAB', 6, 142),
  truck('XV85FN', 'Western Star', '4900FXT', HARROW, 'Ballarat, Vic', 'SDA', 8, -214, {
    vin: 'WS49-07712',
    warrantyIn: -1290,
    notes: 'Older truck: the chassis number stands in for the VIN.',
  }),
  truck('BZ63KE', 'Kenworth', 'T410', HUNTER, 'Singleton, NSW', 'SDA', 4, 108),
  truck('BZ64KE', 'Kenworth', 'T410', HUNTER, 'Singleton, NSW', 'SDA', 4, 109),
  truck('CF09TD', 'Mack', 'Trident', HUNTER, 'Muswellbrook, NSW', 'SDA', 5, 33),
  truck('CG52NV', 'UD', 'Quon GW 26 460', HUNTER, 'Singleton, NSW', 'SD', 2, 147),
  truck('CH83LM', 'Volvo', 'FMX 540', COASTLINE, 'Port Kembla, NSW', 'SDA', 3, 77),
  truck('CH84LM', 'Volvo', 'FMX 540', COASTLINE, 'Port Kembla, NSW', 'SDA', 3, 76, { driver: 'Priya Raman' }),
  truck('CK26YR', 'Fuso', 'Shogun 510', COASTLINE, 'Wagga Wagga, NSW', 'SDA', 2, 25),
  truck('BQH41T', 'Isuzu', 'GXD 165-350', MOLONGLO, 'Queanbeyan, NSW', 'SD', 4, 58),
  truck('CLP67D', 'Hino', '500 Series FM 2635', MOLONGLO, 'Queanbeyan, NSW', 'SD', 1, 180, { validated: false }),
  truck('DKW12A', 'Mercedes-Benz', 'Arocs 3258', HUNTER, 'Tamworth, NSW', 'SDAB', 2, 160),
  truck('318VTD', 'Kenworth', 'T659', DARLING, 'Dalby, Qld', 'SDAB', 7, 45, { vin: '6f5000000ka398214' }),
  truck('655WBN', 'Western Star', '48X', DARLING, 'Roma, Qld', 'SDAB', 2, 151),
  truck('702XCE', 'Scania', 'G 500', DARLING, 'Toowoomba, Qld', 'SDA', 5, 112),
  truck('829JT4', 'Volvo', 'FH16 700', DARLING, 'Emerald, Qld', 'SDAB', 3, 139, {
    certificate: true,
    images: ['truck.png'],
  }),
  truck('940KL2', 'Isuzu', 'FYH 300-350', COASTLINE, 'Gladstone, Qld', 'SD', 3, 30),
  truck('517MD8', 'Hino', '700 Series SS 2848', DARLING, 'Mackay, Qld', 'SDA', 4, -1),
  truck('266RF3', 'Freightliner', 'Coronado 114', DARLING, 'Roma, Qld', 'SDAB', 6, -33, { warrantyIn: -402 }),
  truck('ATN482', 'UD', 'Croner PD 25 280', YARRA, 'Geelong, Vic', 'SD', 3, 90),
  truck('BJK709', 'Fuso', 'Fighter 2427', YARRA, 'Geelong, Vic', 'SD', 5, 126),
  truck('1CM8UQ', 'Mercedes-Benz', 'Actros 2653', MERRI, 'Laverton North, Vic', 'SDA', 3, 168),
  truck('1DX4RP', 'MAN', 'TGX 26.640', MERRI, 'Laverton North, Vic', 'SDA', 2, 144),
  truck('1FA2ZN', 'DAF', 'XF 530', YARRA, 'Shepparton, Vic', 'SDAB', 1, 172),
  truck('1GV9BS', 'Iveco', 'X-Way 510', YARRA, 'Shepparton, Vic', 'SDA', 0, 0, {
    notes: 'Scale ordered, not yet fitted.',
    serial: '',
  }),
  truck('S027CLF', 'Kenworth', 'T610', LIMESTONE, 'Naracoorte, SA', 'SDAB', 4, 101),
  truck('S558BXW', 'Scania', 'R 730', LIMESTONE, 'Port Augusta, SA', 'SDAB', 5, 6),
  truck('S731CRM', 'Mack', 'Anthem', LIMESTONE, 'Mount Gambier, SA', 'SDA', 1, 177),
  truck('S880BDH', 'Volvo', 'FM 460', LIMESTONE, 'Murray Bridge, SA', 'SDA', 6, 83, { dueLeftOut: true }),
  truck('1GHK553', 'Kenworth', 'C509', PILBARA, 'Port Hedland, WA', 'SDAB', 5, 118),
  truck('1GLT816', 'Kenworth', 'C509', PILBARA, 'Port Hedland, WA', 'SDAB', 5, 117),
  truck('1HBR074', 'Volvo', 'FH16 750', PILBARA, 'Newman, WA', 'SDAB', 2, 20),
  truck('1IDC392', 'Western Star', '6900XD', PILBARA, 'Karratha, WA', 'SDAB', 4, -75),
  truck('8KVN615', 'Scania', 'R 770', PILBARA, 'Kalgoorlie, WA', 'SDAB', 1, 12, {
    validated: false,
    notes: 'Readings wait for the second weighbridge ticket.',
  }),
  truck('YAC57P', 'Isuzu', 'FVY 260-300', MOLONGLO, 'Fyshwick, ACT', 'SD', 3, 133),
  truck('YCE04K', 'Hino', '500 Series GT 1828', MOLONGLO, 'Fyshwick, ACT', 'SD', 2, 149),
  truck('YDB92H', 'Fuso', 'Shogun 460', MOLONGLO, 'Hume, ACT', 'SDA', 2, -21, { validated: false }),
  truck('K48GD', 'Kenworth', 'T409', DERWENT, 'Brighton, Tas', 'SDA', 6, 70, { notes: 'Turntable sensor re-seated.' }),
  truck('L15WP', 'Mack', 'Granite', DERWENT, 'Burnie, Tas', 'SDA', 4, 38, { driver: '' }),
  truck('M72BQ', 'Volvo', 'FH 540', DERWENT, 'Launceston, Tas', 'SDA', 3, 157),
  truck('CC35ST', 'Kenworth', 'T909', TOPEND, 'Katherine, NT', 'SDAB', 4, 164, { certificate: true }),
  truck('CE90MV', 'Freightliner', 'Argosy 110', TOPEND, 'Alice Springs, NT', 'SDAB', 0, 0, { warrantyIn: null }),
];

function truck(
  rego: string,
  make: string,
  model: string,
  company: string,
  place: string,
  axles: DemoAxles,
  visits: number,
  dueIn: number,
  extra: DemoExtra = {},
): DemoVehicle {
  return { rego, make, model, company, place, axles, visits, dueIn, ...extra };
}
