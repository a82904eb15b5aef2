export declare function encode(text: string): string;
export declare function decode(text: string): string;
