// Plots as SVG: bars in tables, shares of a total, and a scatter plot with logarithmic axes. The style sheet sets
// colours and font sizes.
import { formatCount } from '../report.ts'
import { html, type Markup } from './markup.ts'

/** Draws a bar from `start` to `end`, both 0 to 1, to illustrate an adjacent figure. */
export function bar(start: number, end: number): Markup {
  const [from, to] = [percent(start), percent(end)]
  // Keeps a very short bar visible.
  const width = Math.max(to - from, 0.4)
  return html`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="100" height="1"/><rect class="fill" x="${from}" width="${percent(width / 100)}" height="1"/></svg>`
}

/** A part of a total. */
export interface Share {
  readonly name: string
  readonly count: number
}

/** Draws shares of a total, with a legend that contains the figures. */
export function shares(parts: readonly Share[]): Markup {
  const whole = Math.max(
    parts.reduce((sum, { count }) => sum + count, 0),
    1,
  )
  let from = 0
  const bars = parts.map(({ count }, index) => {
    const start = from
    from += count / whole
    return html`<rect class="part-${index}" x="${percent(start)}" width="${percent(from - start)}" height="1"/>`
  })
  const legend = parts.map(
    ({ name, count }, index) =>
      html`<li><svg class="swatch" viewBox="0 0 1 1" aria-hidden="true"><rect class="part-${index}" width="1" height="1"/></svg><b>${formatCount(count)}</b> ${name} <span class="dim">${Math.round((count / whole) * 100)} %</span></li>`,
  )
  return html`<svg class="shares" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="100" height="1"/>${bars}</svg><ul class="legend">${legend}</ul>`
}

/** A point; both values are positive. */
export interface Dot {
  readonly x: number
  readonly y: number
  /** Shown on hover. */
  readonly label: string
}

/** Size of the drawing in SVG units; the style sheet scales its text to the screen. */
const size = { width: 360, height: 220, left: 34, right: 8, top: 10, bottom: 30 }

/** Draws points between two logarithmic axes. @param names of the axes, with units */
export function scatter(
  dots: readonly Dot[],
  names: { readonly x: string; readonly y: string; readonly summary: string },
): Markup {
  const x = axis(
    dots.map((dot) => dot.x),
    size.left,
    size.width - size.right,
  )
  const y = axis(
    dots.map((dot) => dot.y),
    size.height - size.bottom,
    size.top,
  )
  const base = size.height - size.bottom
  return html`<svg class="scatter" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${names.summary}">
${x.ticks.map((tick) => html`<line class="grid" x1="${x.at(tick)}" x2="${x.at(tick)}" y1="${size.top}" y2="${base}"/><text x="${x.at(tick)}" y="${base + 12}" text-anchor="middle">${tick}</text>`)}
${y.ticks.map((tick) => html`<line class="grid" x1="${size.left}" x2="${size.width - size.right}" y1="${y.at(tick)}" y2="${y.at(tick)}"/><text x="${size.left - 4}" y="${y.at(tick) + 3}" text-anchor="end">${tick}</text>`)}
<text class="name" x="${size.width - size.right}" y="${size.height - 4}" text-anchor="end">${names.x}</text>
<text class="name" x="${size.left + 4}" y="${size.top + 6}">${names.y}</text>
${dots.map((dot) => html`<circle cx="${x.at(dot.x)}" cy="${y.at(dot.y)}"><title>${dot.label}</title></circle>`)}
</svg>`
}

interface Axis {
  /** Returns the coordinate of a value, rounded to a tenth of a unit. */
  readonly at: (value: number) => number
  /** Powers of ten, from below the smallest value to above the largest. */
  readonly ticks: readonly number[]
}

function axis(values: readonly number[], from: number, to: number): Axis {
  const exponents = values.map((value) => Math.log10(value))
  const low = Math.floor(exponents.reduce((least, value) => Math.min(least, value), Infinity))
  const high = Math.max(
    low + 1,
    Math.ceil(exponents.reduce((most, value) => Math.max(most, value), -Infinity)),
  )
  const ticks = Array.from({ length: high - low + 1 }, (_, index) => Number(`1e${low + index}`))
  const at = (value: number) =>
    Math.round((from + ((Math.log10(value) - low) / (high - low)) * (to - from)) * 10) / 10
  return { at, ticks }
}

/** Converts a share from 0 to 1 to percent, rounded to two decimals. */
function percent(share: number): number {
  return Math.round(share * 10_000) / 100
}
