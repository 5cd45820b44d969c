// Values that outlive the page, in the browser's local storage. No key is among them.

/** A kept value; null if there is none, or storage is forbidden. */
export function readStored(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null')
  } catch {
    return null
  }
}

/** Keeps a value, where storage is allowed. */
export function store(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value))
  } catch {
    // Storage is forbidden or full: the value is for this page only.
  }
}
