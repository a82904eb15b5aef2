// Asks for something again whenever it may have changed, one request at a time.

/** The latest wish counts: what is asked for while an answer is awaited is asked for once more after it. */
export class OnceMore {
  private asking = false;
  private again = false;

  constructor(private readonly ask: () => Promise<void>) {}

  async refresh(): Promise<void> {
    this.again = true;
    if (this.asking) return;
    this.asking = true;
    try {
      while (this.again) {
        this.again = false;
        await this.ask();
      }
    } finally {
      this.asking = false;
    }
  }
}
