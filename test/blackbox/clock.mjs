// Preloaded by every process of the suite: the time is that of the variable BLACKBOX_NOW, and stands still.
const at = Date.parse(process.env.BLACKBOX_NOW)
globalThis.Date = class StoppedDate extends Date {
  constructor(...parts) {
    if (parts.length === 0) super(at)
    else super(...parts)
  }
  static now() {
    return at
  }
}
