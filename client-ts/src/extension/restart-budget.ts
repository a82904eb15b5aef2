/** How often something may be started again within a while. */
export class RestartBudget {
  private readonly taken: number[] = [];

  constructor(
    readonly limit: number,
    private readonly withinMs: number,
    private readonly now: () => number,
  ) {}

  /** Whether there is one more; takes it. */
  take(): boolean {
    const now = this.now();
    while (this.taken[0] !== undefined && now - this.taken[0] > this.withinMs) this.taken.shift();
    if (this.taken.length >= this.limit) return false;
    this.taken.push(now);
    return true;
  }
}
