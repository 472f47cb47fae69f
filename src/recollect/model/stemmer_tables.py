"""How FTS5's `unicode61` splits and folds text beyond ASCII; from scripts/stemmer_tables.py. Import-light.

FTS5 has Unicode tables of its own, older than Python's. `BOUNDS` are the code points, in hexadecimal, at which
separators and characters of words take turns, separators first. `FOLDS` are runs of characters that become others, as
`first-last/step:distance`. `MARKS` are the combining diacritics that are dropped inside a word.
"""

from bisect import bisect_right

BOUNDS = """
    80 aa ab b2 b4 b5 b6 b9 bb bc bf c0 d7 d8 f7 f8 2c2 2c6 2d2 2e0 2e5 2ec 2ed 2ee 2ef 370 375 376 37e 37f 384 386
    387 388 3f6 3f7 482 48a 55a 560 589 58b 58f 590 591 5c8 5f3 5f5 600 605 606 61c 61e 620 64b 660 66a 66e 670 671
    6d4 6d5 6d6 6e5 6e7 6ee 6fd 6ff 700 70e 70f 710 711 712 730 74b 7a6 7b1 7eb 7f4 7f6 7fa 816 81a 81b 824 825 828
    829 82e 830 83f 859 85c 85e 85f 8e4 8ff 900 904 93a 93d 93e 950 951 958 962 966 970 971 981 984 9bc 9bd 9be 9c5
    9c7 9c9 9cb 9ce 9d7 9d8 9e2 9e4 9f2 9f4 9fa 9fc a01 a04 a3c a3d a3e a43 a47 a49 a4b a4e a51 a52 a70 a72 a75 a76
    a81 a84 abc abd abe ac6 ac7 aca acb ace ae2 ae4 af0 af2 b01 b04 b3c b3d b3e b45 b47 b49 b4b b4e b56 b58 b62 b64
    b70 b71 b82 b83 bbe bc3 bc6 bc9 bca bce bd7 bd8 bf3 bfb c01 c04 c3e c45 c46 c49 c4a c4e c55 c57 c62 c64 c7f c80
    c82 c84 cbc cbd cbe cc5 cc6 cc9 cca cce cd5 cd7 ce2 ce4 d02 d04 d3e d45 d46 d49 d4a d4e d57 d58 d62 d64 d79 d7a
    d82 d84 dca dcb dcf dd5 dd6 dd7 dd8 de0 df2 df5 e31 e32 e34 e3b e3f e40 e47 e50 e5a e5c eb1 eb2 eb4 eba ebb ebd
    ec8 ece f01 f20 f34 f40 f71 f88 f8d f98 f99 fbd fbe fcd fce fdb 102b 103f 104a 1050 1056 105a 105e 1061 1062
    1065 1067 106e 1071 1075 1082 108e 108f 1090 109a 10a0 10fb 10fc 135d 1369 1390 139a 1400 1401 166d 166f 1680
    1681 169b 169d 16eb 16ee 1712 1715 1732 1737 1752 1754 1772 1774 17b4 17d7 17d8 17dc 17dd 17de 1800 180f 18a9
    18aa 1920 192c 1930 193c 1940 1941 1944 1946 19b0 19c1 19c8 19ca 19de 1a00 1a17 1a1c 1a1e 1a20 1a55 1a5f 1a60
    1a7d 1a7f 1a80 1aa0 1aa7 1aa8 1aae 1b00 1b05 1b34 1b45 1b5a 1b7d 1b80 1b83 1ba1 1bae 1be6 1bf4 1bfc 1c00 1c24
    1c38 1c3b 1c40 1c7e 1c80 1cc0 1cc8 1cd0 1ce9 1ced 1cee 1cf2 1cf5 1dc0 1de7 1dfc 1e00 1fbd 1fbe 1fbf 1fc2 1fcd
    1fd0 1fdd 1fe0 1fed 1ff0 1ffd 1fff 2000 2065 206a 2070 207a 207f 208a 208f 20a0 20ba 20d0 20f1 2100 2102 2103
    2107 2108 210a 2114 2115 2116 2119 211e 2124 2125 2126 2127 2128 2129 212a 212e 212f 213a 213c 2140 2145 214a
    214e 214f 2150 2190 23f4 2400 2427 2440 244b 249c 24ea 2500 2700 2701 2776 2794 2b4d 2b50 2b5a 2ce5 2ceb 2cef
    2cf2 2cf9 2cfd 2cfe 2d00 2d70 2d71 2d7f 2d80 2de0 2e2f 2e30 2e3c 2e80 2e9a 2e9b 2ef4 2f00 2fd6 2ff0 2ffc 3000
    3005 3008 3021 302a 3031 3036 3038 303d 3040 3099 309d 30a0 30a1 30fb 30fc 3190 3192 3196 31a0 31c0 31e4 3200
    321f 322a 3248 3250 3251 3260 3280 328a 32b1 32c0 32ff 3300 3400 4dc0 4e00 a490 a4c7 a4fe a500 a60d a610 a66f
    a67f a69f a6a0 a6f0 a6f8 a700 a717 a720 a722 a789 a78b a802 a803 a806 a807 a80b a80c a823 a82c a836 a83a a874
    a878 a880 a882 a8b4 a8c5 a8ce a8d0 a8e0 a8f2 a8f8 a8fb a926 a930 a947 a954 a95f a960 a980 a984 a9b3 a9ce a9de
    a9e0 aa29 aa37 aa43 aa44 aa4c aa4e aa5c aa60 aa77 aa7a aa7b aa7c aab0 aab1 aab2 aab5 aab7 aab9 aabe aac0 aac1
    aac2 aade aae0 aaeb aaf2 aaf5 aaf7 abe3 abee d800 e000 fb1e fb1f fb29 fb2a fbb2 fbc2 fd3e fd40 fdfc fdfe fe00
    fe1a fe20 fe27 fe30 fe53 fe54 fe67 fe68 fe6c feff ff00 ff01 ff10 ff1a ff21 ff3b ff41 ff5b ff66 ffe0 ffe7 ffe8
    ffef fff9 10000 10100 10103 10137 10140 10179 1018a 10190 1019c 101d0 101fe 1039f 103a0 103d0 103d1 10857 10858
    1091f 10920 1093f 10940 10a01 10a04 10a05 10a07 10a0c 10a10 10a38 10a3b 10a3f 10a40 10a50 10a59 10a7f 10a80
    10b39 10b40 11000 11003 11038 1104e 11080 11083 110b0 110c2 11100 11103 11127 11135 11140 11144 11180 11183
    111b3 111c1 111c5 111c9 116ab 116b8 12470 12474 16f51 16f7f 16f8f 16f93 1d000 1d0f6 1d100 1d127 1d129 1d1de
    1d200 1d246 1d300 1d357 1d6c1 1d6c2 1d6db 1d6dc 1d6fb 1d6fc 1d715 1d716 1d735 1d736 1d74f 1d750 1d76f 1d770
    1d789 1d78a 1d7a9 1d7aa 1d7c3 1d7c4 1eef0 1eef2 1f000 1f02c 1f030 1f094 1f0a0 1f0af 1f0b1 1f0bf 1f0c1 1f0d0
    1f0d1 1f0e0 1f110 1f12f 1f130 1f16c 1f170 1f19b 1f1e6 1f203 1f210 1f23b 1f240 1f249 1f250 1f252 1f300 1f321
    1f330 1f336 1f337 1f37d 1f380 1f394 1f3a0 1f3c5 1f3c6 1f3cb 1f3e0 1f3f1 1f400 1f43f 1f440 1f441 1f442 1f4f8
    1f4f9 1f4fd 1f500 1f53e 1f540 1f544 1f550 1f568 1f5fb 1f641 1f645 1f650 1f680 1f6c6 1f700 1f774 e0001 e0002
    e0020 e0080 e0100 e01f0
"""
FOLDS = """
    b5:775 c0:-95 c1:-96 c2:-97 c3:-98 c4:-99 c5:-100 c6:32 c7:-100 c8:-99 c9:-100 ca:-101 cb:-102 cc:-99 cd:-100
    ce:-101 cf:-102 d0:32 d1-d2:-99 d3:-100 d4:-101 d5:-102 d6:-103 d8:32 d9:-100 da:-101 db:-102 dc:-103 dd:-100
    de:32 e0:-127 e1:-128 e2:-129 e3:-130 e4:-131 e5-e7/2:-132 e8:-131 e9:-132 ea:-133 eb:-134 ec:-131 ed:-132
    ee:-133 ef:-134 f1-f2:-131 f3:-132 f4:-133 f5:-134 f6:-135 f9:-132 fa:-133 fb:-134 fc:-135 fd:-132 ff:-134
    100:-159 101:-160 102:-161 103:-162 104:-163 105:-164 106:-163 107:-164 108:-165 109:-166 10a:-167 10b:-168
    10c:-169 10d-10e:-170 10f:-171 110:1 112:-173 113:-174 114:-175 115:-176 116:-177 117:-178 118:-179 119:-180
    11a:-181 11b:-182 11c:-181 11d:-182 11e:-183 11f:-184 120:-185 121:-186 122:-187 123-124:-188 125:-189 126:1
    128:-191 129:-192 12a:-193 12b:-194 12c:-195 12d:-196 12e:-197 12f:-198 130:-199 132:1 134:-202 135-136:-203
    137:-204 139:-205 13a:-206 13b:-207 13c:-208 13d:-209 13e:-210 13f-141/2:1 143:-213 144:-214 145:-215 146:-216
    147:-217 148:-218 14a:1 14c:-221 14d:-222 14e:-223 14f:-224 150:-225 151:-226 152:1 154:-226 155:-227 156:-228
    157:-229 158:-230 159-15a:-231 15b:-232 15c:-233 15d:-234 15e:-235 15f:-236 160:-237 161-162:-238 163:-239
    164:-240 165:-241 166:1 168:-243 169:-244 16a:-245 16b:-246 16c:-247 16d:-248 16e:-249 16f:-250 170:-251
    171:-252 172:-253 173:-254 174:-253 175:-254 176:-253 177:-254 178-179:-255 17a:-256 17b:-257 17c:-258 17d:-259
    17e:-260 17f:-268 181:210 182-184/2:1 186:206 187:1 189-18a:205 18b:1 18e:79 18f:202 190:203 191:1 193:205
    194:207 196:211 197:209 198:1 19c:211 19d:213 19f:214 1a0:-305 1a1:-306 1a2-1a4/2:1 1a6:218 1a7:1 1a9:218 1ac:1
    1ae:218 1af:-314 1b0:-315 1b1-1b2:217 1b3-1b5/2:1 1b7:219 1b8:1 1bc:1 1c4:2 1c5:1 1c7:2 1c8:1 1ca:2 1cb:1
    1cd:-364 1ce:-365 1cf:-358 1d0:-359 1d1:-354 1d2:-355 1d3:-350 1d4:-351 1d5-1db/2:1 1de-1e4/2:1 1e6:-383
    1e7:-384 1e8:-381 1e9:-382 1ea:-379 1eb:-380 1ec-1ee/2:1 1f0:-390 1f1:2 1f2:1 1f4:-397 1f5:-398 1f6:-97 1f7:-56
    1f8:-394 1f9:-395 1fa-1fe/2:1 200:-415 201:-416 202:-417 203:-418 204:-415 205:-416 206:-417 207:-418 208:-415
    209:-416 20a:-417 20b:-418 20c:-413 20d:-414 20e:-415 20f:-416 210:-414 211:-415 212:-416 213:-417 214:-415
    215:-416 216:-417 217:-418 218:-421 219-21a:-422 21b:-423 21c:1 21e:-438 21f:-439 220:-130 222-224/2:1 226:-453
    227:-454 228:-451 229:-452 22a-22c/2:1 22e:-447 22f:-448 230:1 232:-441 233:-442 23a:10795 23b:1 23d:-163
    23e:10792 241:1 243:-195 244:69 245:71 246-24e/2:1 370-372/2:1 376:1 386:38 388-38a:37 38c:64 38e-38f:63
    391-3a1:32 3a3-3ab:32 3c2:1 3cf:8 3d0:-30 3d1:-25 3d5:-15 3d6:-22 3d8-3ee/2:1 3f0:-54 3f1:-48 3f4:-60 3f5:-64
    3f7:1 3f9:-7 3fa:1 3fd-3ff:-130 400-40f:80 410-42f:32 460-480/2:1 48a-4be/2:1 4c0:15 4c1-4cd/2:1 4d0-526/2:1
    531-556:48 10a0-10c5:7264 10c7:7264 10cd:7264 1e00:-7583 1e01-1e02:-7584 1e03:-7585 1e04:-7586 1e05:-7587
    1e06:-7588 1e07:-7589 1e08:1 1e0a:-7590 1e0b:-7591 1e0c:-7592 1e0d:-7593 1e0e:-7594 1e0f:-7595 1e10:-7596
    1e11:-7597 1e12:-7598 1e13:-7599 1e14-1e16/2:1 1e18:-7603 1e19:-7604 1e1a:-7605 1e1b:-7606 1e1c:1 1e1e:-7608
    1e1f-1e20:-7609 1e21-1e22:-7610 1e23:-7611 1e24:-7612 1e25:-7613 1e26:-7614 1e27:-7615 1e28:-7616 1e29:-7617
    1e2a:-7618 1e2b-1e2c:-7619 1e2d:-7620 1e2e:1 1e30:-7621 1e31:-7622 1e32:-7623 1e33:-7624 1e34:-7625
    1e35-1e36:-7626 1e37:-7627 1e38:1 1e3a:-7630 1e3b:-7631 1e3c:-7632 1e3d-1e3e:-7633 1e3f:-7634 1e40:-7635
    1e41:-7636 1e42:-7637 1e43-1e44:-7638 1e45:-7639 1e46:-7640 1e47:-7641 1e48:-7642 1e49:-7643 1e4a:-7644
    1e4b:-7645 1e4c-1e52/2:1 1e54:-7652 1e55:-7653 1e56:-7654 1e57:-7655 1e58:-7654 1e59:-7655 1e5a:-7656 1e5b:-7657
    1e5c:1 1e5e:-7660 1e5f-1e60:-7661 1e61:-7662 1e62:-7663 1e63:-7664 1e64-1e68/2:1 1e6a:-7670 1e6b:-7671
    1e6c:-7672 1e6d:-7673 1e6e:-7674 1e6f:-7675 1e70:-7676 1e71-1e72:-7677 1e73:-7678 1e74:-7679 1e75:-7680
    1e76:-7681 1e77:-7682 1e78-1e7a/2:1 1e7c:-7686 1e7d:-7687 1e7e:-7688 1e7f-1e80:-7689 1e81:-7690 1e82:-7691
    1e83:-7692 1e84:-7693 1e85:-7694 1e86:-7695 1e87:-7696 1e88:-7697 1e89-1e8a:-7698 1e8b:-7699 1e8c:-7700
    1e8d-1e8e:-7701 1e8f-1e90:-7702 1e91:-7703 1e92:-7704 1e93:-7705 1e94:-7706 1e95:-7707 1e96:-7726 1e97:-7715
    1e98:-7713 1e99:-7712 1e9b:-7720 1e9e:-7615 1ea0:-7743 1ea1:-7744 1ea2:-7745 1ea3:-7746 1ea4-1eb6/2:1 1eb8:-7763
    1eb9:-7764 1eba:-7765 1ebb:-7766 1ebc:-7767 1ebd:-7768 1ebe-1ec6/2:1 1ec8:-7775 1ec9:-7776 1eca:-7777 1ecb:-7778
    1ecc:-7773 1ecd:-7774 1ece:-7775 1ecf:-7776 1ed0-1ee2/2:1 1ee4:-7791 1ee5:-7792 1ee6:-7793 1ee7:-7794
    1ee8-1ef0/2:1 1ef2:-7801 1ef3:-7802 1ef4:-7803 1ef5:-7804 1ef6:-7805 1ef7:-7806 1ef8:-7807 1ef9:-7808
    1efa-1efe/2:1 1f08-1f0f:-8 1f18-1f1d:-8 1f28-1f2f:-8 1f38-1f3f:-8 1f48-1f4d:-8 1f59-1f5f/2:-8 1f68-1f6f:-8
    1f88-1f8f:-8 1f98-1f9f:-8 1fa8-1faf:-8 1fb8-1fb9:-8 1fba-1fbb:-74 1fbc:-9 1fbe:-7173 1fc8-1fcb:-86 1fcc:-9
    1fd8-1fd9:-8 1fda-1fdb:-100 1fe8-1fe9:-8 1fea-1feb:-112 1fec:-7 1ff8-1ff9:-128 1ffa-1ffb:-126 1ffc:-9 2126:-7517
    212a:-8383 212b:-8394 2132:28 2160-216f:16 2183:1 2c00-2c2e:48 2c60:1 2c62:-10743 2c63:-3814 2c64:-10727
    2c67-2c6b/2:1 2c6d:-10780 2c6e:-10749 2c6f:-10783 2c70:-10782 2c72:1 2c75:1 2c7e-2c7f:-10815 2c80-2ce2/2:1
    2ceb-2ced/2:1 2cf2:1 a640-a66c/2:1 a680-a696/2:1 a722-a72e/2:1 a732-a76e/2:1 a779-a77b/2:1 a77d:-35332
    a77e-a786/2:1 a78b:1 a78d:-42280 a790-a792/2:1 a7a0-a7a8/2:1 a7aa:-42308 ff21-ff3a:32 10400-10427:40
"""
MARKS = """
    300 301 302 303 304 306 307 308 309 30a 30b 30c 30f 311 31b 323 324 325 326 327 328 32d 32e 330 331
"""


def _folds() -> dict[int, int]:
    folds = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
    for run in FOLDS.split():
        codes, _, distance = run.partition(":")
        span, _, step = codes.partition("/")
        first, _, last = span.partition("-")
        for code in range(int(first, 16), int(last or first, 16) + 1, int(step or "1")):
            folds[code] = code + int(distance)
    return folds | {int(code, 16): 1 for code in MARKS.split()}


class _Fold(dict[int, int]):
    """A table for `str.translate`: the folded character, a space for a separator, 1 for a diacritic."""

    def __init__(self) -> None:
        self._folds = _folds()
        self._bounds = [int(bound, 16) for bound in BOUNDS.split()]

    def __missing__(self, code: int) -> int:
        folded = self[code] = self._folds.get(code) or (code if self._is_of_a_word(code) else 32)
        return folded

    def _is_of_a_word(self, code: int) -> bool:
        return chr(code).isalnum() if code < 128 else bisect_right(self._bounds, code) % 2 == 0


FOLD = _Fold()
