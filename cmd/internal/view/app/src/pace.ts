// How much of the picture is drawn while it moves. Where frames come too slowly, as without
// a graphics card, fewer pixels and fewer links are drawn until it stands still.

const enough = 5; // frames that are looked at
const tooLong = 60; // ms a frame, in the middle of those
const broken = 2000; // ms that no drawing takes, but a page in the background

export class Pace {
  private times: number[] = [];
  slow = false;

  /** took takes the time from a frame that was drawn to when the browser wants the next. */
  took(ms: number): void {
    if (ms > broken) return;
    this.times = [...this.times, ms].slice(-enough);
    // Once slow it stays so: that frames are quick again may come of what is left out.
    if (this.times.length === enough && [...this.times].sort((a, b) => a - b)[enough >> 1]! > tooLong) this.slow = true;
  }

  /** again forgets what was found, for another graph. */
  again(): void {
    this.times = [];
    this.slow = false;
  }
}
