// The page never turns bare text into links, so the finder of links is left out of its bundle.
export class LinkifyIt {}
