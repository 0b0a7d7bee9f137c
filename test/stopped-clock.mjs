// Preloaded into a server whose pages are compared with another's: for it the time is always STOPPED_AT (milliseconds).
const at = Number(process.env['STOPPED_AT']);
globalThis.Date = class extends Date {
  constructor(...given) {
    if (given.length === 0) super(at);
    else super(...given);
  }
  static now() {
    return at;
  }
};
