// Cuts a file of JSON lines into its lines.

export type Line = { bytes: Buffer; tooLarge: boolean };

const newline = 0x0a;
const mostBytes = 400 * 1024 * 1024;

export class JsonLines {
  #parts: Buffer[] = [];
  #size = 0;

  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      this.#keep(chunk.subarray(from, at));
      this.#finish(lines);
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
    return lines;
  }

  end(): Line[] {
    const lines: Line[] = [];
    this.#finish(lines);
    return lines;
  }

  #keep(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size > mostBytes) this.#parts = [];
    else if (bytes.length > 0) this.#parts.push(bytes);
  }

  #finish(lines: Line[]): void {
    const tooLarge = this.#size > mostBytes;
    const bytes = Buffer.concat(this.#parts);
    if (tooLarge || bytes.toString('latin1').trim() !== '') lines.push({ bytes, tooLarge });
    this.#parts = [];
    this.#size = 0;
  }
}
