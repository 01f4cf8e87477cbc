// The table of a run: on the console as text, in docs/benchmarks.md as Markdown.
import { comparedOf, isMet, isNumber, limitOf, type Measurement } from './goals';

/** Null is what a file makes of a number that there is none of, as the least of nothing. */
function number(value: number | null | undefined, unit: Measurement['unit']): string {
  if (!isNumber(value)) return '–';
  const digits = unit === '' ? (Number.isInteger(value) ? 0 : 2) : value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  return `${value.toFixed(digits)}${unit === '' ? '' : ` ${unit}`}`;
}

function ratio({ ratio: value, spread }: Measurement): string {
  if (!isNumber(value)) return '–';
  return spread ? `${value.toFixed(2)} (${spread[0].toFixed(2)}–${spread[1].toFixed(2)})` : value.toFixed(2);
}

function goal(measurement: Measurement): string {
  const limit = limitOf(measurement);
  if (limit === null) return '–';
  return measurement.goal.kind === 'ratio' ? `≤ ${limit.toFixed(2)} ×` : `≤ ${number(limit, measurement.unit)}`;
}

function outcome(measurement: Measurement): string {
  if (measurement.goal.kind === 'none') return '–';
  return isMet(measurement) ? 'ok' : !isNumber(comparedOf(measurement)) ? 'not measured' : 'MISSED';
}

const head = ['operation', 'ours', 'floor', 'ratio', 'goal', 'ok'];

function cells(one: Measurement): string[] {
  return [`${one.id} ${one.operation}`, number(one.ours, one.unit), number(one.floor, one.unit), ratio(one), goal(one), outcome(one)];
}

export function table(measurements: readonly Measurement[]): string {
  const rows = [head, ...measurements.map(cells)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(' | ')
        .trimEnd(),
    )
    .join('\n');
}

export function markdown(measurements: readonly Measurement[]): string {
  const row = (texts: readonly string[]) => `| ${texts.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...measurements.map((one) => row(cells(one)))].join('\n');
}
