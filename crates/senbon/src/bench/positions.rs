//! The positions of the bench: the start, and middle games and endings from games that the
//! built-in engines played against themselves after random openings.

pub(super) const CHESS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pp2p1pp/n1p5/5p2/3P4/P1N2PP1/RP2P2P/2BQKBNR w Kkq - 2 9",
    "r3kb1r/pp1np1pp/1q1p3n/2pP4/8/3P1N2/PP3PPP/RNBQK2R w KQkq - 1 9",
    "rn1qkb1r/pppn1p1b/6p1/3pp1Pp/7N/1P2P2P/P1PP1P2/RNBQKBR1 w Qkq - 0 11",
    "r1b1kbBr/p2p3p/n1p2p2/1p6/1q2P1QN/2p5/PPP2PPP/1RB2KR1 b k - 3 14",
    "rn2k2r/1pp2p2/p3pn2/q7/3P4/1PP2NP1/5N1P/2RQK2R w Kkq - 1 16",
    "r2qkb1r/1p2n1p1/2pp4/p3ppnp/P3P2P/2PP1N2/NP3PP1/R2Q1K1R w k - 0 18",
    "r2qkb2/3p1n2/2n1bp2/P3p2p/1p5r/3PPP2/PR1N1N2/R1BQKB2 w Qq - 5 19",
    "r3k1nr/8/p5pp/4PpP1/2R5/1Pp2P2/P1P5/2KR2N1 w - - 0 22",
    "7r/1b1pk1bp/1p3pp1/8/1pP2PBP/1P2K1P1/3NN3/5R2 b - - 1 25",
    "2r1kbn1/6p1/pp3p2/4p3/3r4/P3K3/1P1P1P1P/1RB1N2R w - - 7 26",
    "6Rk/p1q2p2/5p2/3p3P/P6P/2r2P2/P2NK3/Q7 b - - 0 27",
    "r7/p5k1/2p5/1p1n2p1/6Q1/qP6/3RBPP1/1K6 b - - 1 30",
    "4k3/q7/2p2pp1/p1n1n2p/P3P2P/1PP5/3K1NPN/RR6 b - - 0 31",
    "6k1/5pp1/r2N4/2n1p2p/n6P/R5P1/2P4R/4K3 w - - 1 33",
    "5rkr/1p4p1/2p3p1/3pP2p/1P1K1P1P/p7/P3P3/R5R1 w - - 3 36",
    "r1b1r3/1p2q1k1/2p3p1/p2p1pPp/Pb1P1P2/1Q2P1P1/1PBB4/2R3KR w - - 13 39",
    "r7/1p1k2p1/3p1b2/1PpPpN2/4P3/P1n4P/BRP3K1/8 b - - 2 41",
    "8/8/2pPkn2/1r4p1/2N3P1/2P5/P1K5/5R2 b - - 5 41",
    "8/8/4pk2/r1p1N3/P4K2/7p/2B4P/8 w - - 0 45",
    "4N3/1p6/1kb4p/1B5n/P7/8/1P3K1P/8 w - - 2 45",
    "4r3/8/1kp4R/3p2Np/P2P1PbP/2P1p3/8/4K3 w - - 2 49",
    "5k2/1p1R2pp/2q2b2/8/6B1/3KQ3/8/8 w - - 7 51",
    "8/5k2/K7/1p2B1p1/1Pn2p1p/8/5N2/8 w - - 8 53",
    "8/7R/p7/8/2P3b1/1P6/PK2pk2/3r3R b - - 6 53",
];

pub(super) const SHOGI: &[&str] = &[
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsg2gnl/1r1k2sb1/p1p1ppppp/1p1p5/9/1P7/P1PPPPPPP/1BGR1KS2/LNS2G1NL w - 16",
    "lns3gnl/r1kg2sb1/ppp1pp1pp/6p2/P2p5/L4P1P1/BPPPP1PSP/3G3R1/1NS1KG1NL w - 24",
    "1ns5l/lr1g1ksg1/p1ppp1npp/1p3pp2/9/2P1PbP1P/PP1P3PL/1BG2GS1R/LNS1K2N1 b p 27",
    "ln2k1sn1/2sg3bl/1rppppg2/pp4ppp/9/P1P1P2PP/1PGP1PP1N/1BS2KSRL/LN3G3 b - 31",
    "1nk4nl/1r2g1sb1/1sppp1gpp/1p3pp2/3L1l3/3P5/NPP1PPPPP/1SGR1G1KL/B5SN1 w 2P 42",
    "1r4sn1/lgsk2g1l/3ppp2p/p1p3pp1/1G7/P1Pb1BPP1/4PP2P/2S1R1G1L/LN1K2SN1 w NP2p 44",
    "ln4kn1/r2g2sbl/1spp3pp/pp2ppP2/2P4R1/P2P1PG1P/NPG1P3N/1BS1K2P1/L4GS1L b P 49",
    "1n2k1sn1/lr4gb1/1ppgpp1p1/p2ps3l/2P3pRp/PP1PPP3/2B3P1P/LGS2GSP1/1N2K2NL b - 55",
    "lr1p3n1/2sk2gb1/+Pppgps3/5pp2/L6p1/1PPS1PP2/4P4/2G1R1G1+l/BN1PK2NL b N2Ps2p 63",
    "l2p1s1n1/3gk3l/r1s1pp1p1/6pg1/pp6p/3P1P1P1/BPSGP1P2/2BG2S1L/+r4NKN1 b Pnl3p 71",
    "l1s1b1sn1/2k3g2/rLpppg1p1/1p7/2NP2pPP/1PPGPS2R/B2S2P2/3g2K2/1N3P1NL w L3Pp 76",
    "6sn1/1+Rsk2g1l/1g+P1ppbpp/1p1p2N2/BP4p2/2SP1P3/4PSPPP/3G1G1R1/1+l2K2NL w nl3p 80",
    "1ns4ng/l3+Rn3/ppp+Bpkg2/3p1ppp1/P8/L2B3gp/1PPPP1P2/2GK1+l1+l1/1NS1R3s w s3p 90",
    "1ns3k2/2g5S/1r2pp1p1/lp1pP4/p5p2/1+b1G1PnP1/3PK4/LBG3S1R/1NS6 b NPg2l6p 95",
    "1n1s3n1/+R1sk2s2/gppg5/p2p5/2P1p1p2/P1bP4L/1PB1G1PL1/L1RK5/1N3+s1N1 b GL5P2p 97",
    "3+P2sn1/5kgbl/2+S1p1p1p/pB1L1G1p1/2r6/P1pPN1PP1/4P2GP/2+p1g4/5rLKL w 2SN2Pn2p 106",
];

/// The empty board, and two fights.
pub(super) const GO: &[&str] = &[
    "9x9",
    "9/3O5/2XXO4/3XO1X2/4XO3/3XO1O2/3XX4/9/9 b - 0 0/0 7.5 positional,area",
    "1XO6/XXO2OX2/1XOO1OXX1/XOO2OX2/2X1OXX2/1XXOOX3/2OXX4/2O2X3/9 w - 0 0/0 7.5 positional,area",
];

/// Uniform trees of width 7.
pub(super) const TREES: &[&str] =
    &["uniform:w7:d14:seed1", "uniform:w7:d14:seed2", "uniform:w7:d14:seed3"];
pub(super) const TREE_DEPTH: u32 = 14;
