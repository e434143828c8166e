/** The lessons: positions on the real board, and which move each waits for. The words are in the catalogues. */
import type { KeyIn } from '../i18n/en/index.ts';
import type { MoveJson } from '../net/wire.ts';

export interface Lesson {
  readonly position: string;
  /** The fields of a move that fulfils the lesson. */
  readonly goal: Partial<MoveJson>;
}

/** Stands where an address names no lesson. */
export const NO_LESSON: Lesson = { position: '', goal: {} };

export const TUNNEL = 'BPHSDK/DBKPHS/PKDHSB/HKPBSD/KBSDHP/HDKBPS';
export const NEST = 'STMDCPG/DCGMPST|GPDCMTS/TPMCGSD/PSGDCTM';
const jamaica = (pirates: string, hands: string, stock: string, goal: Lesson['goal']): Lesson => ({
  position: `jamaica-en ${TUNNEL} ${pirates} ${hands} - ${stock} - - 1.0`,
  goal,
});
const nest = (pirates: string, hands: string, stock: string, goal: Lesson['goal'], turn = '1.0'): Lesson => ({
  position: `nest-nl ${NEST} ${pirates} ${hands} - ${stock} - 1 ${turn}`,
  goal,
});

export const LESSONS: Readonly<Record<'tunnel' | 'nest', readonly Lesson[]>> = {
  tunnel: [
    jamaica('s,s,s,s,s,s/s,s,s,s,s,s', 'B/-', 'B16D17H17K17P17S17', { from: 's', card: 'B' }),
    jamaica('s,s,s,s,s,s/s,s,s,s,s,1', 'B/-', 'B16D17H17K17P17S17', { from: 's', card: 'B' }),
    jamaica('s,s,s,s,s,8/s,s,s,s,s,5', 'B/-', 'B16D17H17K17P17S17', { kind: 'retreat', from: '8' }),
    jamaica('s,s,s,s,s,12/s,s,s,s,9,9', 'K/-', 'B17D17H17K16P17S17', { kind: 'retreat', from: '12' }),
    jamaica('s,s,s,s,s,15/s,s,10,12,12,12', 'H/-', 'B17D17H16K17P17S17', { kind: 'retreat', from: '15' }),
    jamaica('s,s,s,s,4,17/s,s,12,23,27,36', 'S/-', 'B17D17H17K17P17S16', { from: '17', card: 'S' }),
    jamaica('s,s,s,s,8,18/s,s,s,5,12,22', 'BDHS/KP', 'B16D16H16K16P16S16', { kind: 'end' }),
    jamaica('30,b,b,b,b,b/s,s,4,9,12,35', 'PS/DK', 'B17D16H17K16P16S16', { kind: 'advance', card: 'P' }),
  ],
  nest: [
    nest('s,s,s,s,s,5/s,s,s,s,s,3', 'CD/MP', 'C13C!D13D!G14G!M13M!P13P!S14S!T14T!', { seat: 2, from: '3' }),
    nest('s,s,s,s,s,12/s,s,s,s,s,3', 'D/M', 'C14C!D13D!G14G!M13M!P14P!S14S!T14T!', { from: '12', card: 'D' }),
    nest('s,s,s,3,b,b/s,s,s,s,5,b', 'CD/MP', 'C13C!D13D!G14G!M13M!P13P!S14S!T14T!', { kind: 'sail' }, '1.0c'),
    nest('s,s,s,s,3,16/s,s,s,s,5,18', 'C!D2G2M2PS/CT', 'C13D12D!G12G!M12M!P13P!S13S!T13T!', { kind: 'drop' }),
  ],
};

/** The key of what is said at a lesson, numbered from 1. */
export const lessonKey = (course: keyof typeof LESSONS, number: number, part: 'title' | 'text'): KeyIn<'lesson'> =>
  `lesson.${course}.${number}.${part}` as KeyIn<'lesson'>;

const A = `tortuga-en ${TUNNEL} s,6,6,17,18,b/s,8,17,17,22,30/s,5,9,12,26,34 BD4H/BHKP/BHKPS BDDHKSPBH B6D5H6K6P6S7 B6D6H6K8P8S8 - 1.0`;
const B = `nest-nl ${NEST} s,3,3,b,b,28/5,13,b,18,25,n/3,14,14,b,b,16/s,s,5,28,31,n C3DM/CGPST/CDMPST/CDGMPST - C4C!D7D!G8G!M6M!P6P!S6S!T6T! C4D4G4M5P5S5T5 1 1.0c`;

export const EXAMPLES = [
  { key: 'a1', position: A, moves: 's:D 6:D 6:D' },
  { key: 'a2', position: A, moves: '17< 18< 17<' },
  { key: 'a3', position: A, moves: '17:B 18< s:D' },
  { key: 'b1', position: B, moves: 'sail b:C b:C 28:C' },
  { key: 'b2', position: B, moves: '2@13 3@3 4@s' },
  { key: 'b3', position: B, moves: 'sail b:C b:C 2@25 end' },
] as const;
