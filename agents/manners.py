"""Manners: what people do not forgive a partner, each in positions where every good player does the same.

`faults(agent)` lists what an agent gets wrong. You are South everywhere, and partner is North; `positions` tells how to
read the text of a position. Where nothing else is said the rules are `classic`, the game and the hand have just begun.
"""

from agents.base import Agent
from agents.positions import Position, read_positions
from spades_env.cards import NUM_SEATS

MANNERS = {
    "overtakes its partner's winning card": """
        bids N3 E3 S4 W2 / table N KC 5C / hand AC 7C 3C QS 8S 4S KD 9D 5D QH 8H 6H 2H
        must 7C 3C: only your own ace beats partner's king: on two tricks they are worth two tricks

        bids W3 N3 E3 S3 / table W 5D AD 9D / hand KS 8S 4S KC 9C 6C 3C JH TH 7H 5H 4H 2H
        must not KS 8S 4S: partner's ace has won the trick, you are last: keep the spade for a trick of theirs

        bids N4 E3 S3 W2 / table N AH 4H / hand TS 7S 3S AC 9C 6C 2C KD JD 8D 7D 4D 3D
        must not TS 7S 3S: partner leads an ace that stands: do not trump it

        bids W3 N3 E3 S4 / table W 6H QH 9H / hand AH 5H 3H KS TS 6S QC JC 4C KD 8D 7D 2D
        must 5H 3H: partner's queen has won the trick, you are last: the ace takes another one

        bids W4 N3 E2 S3 / tricks W AD 3D 5D 2D, W KD 6D 7D 8D / table W QD 9S TD
        hand JS 6S 2S AC 8C 4C KH JH 7H 5H 3H
        must not JS 6S 2S: partner has trumped and the trick is yours: no second spade belongs on it
    """,
    "exposes its partner's nil": """
        bids W3 Nnil E4 S4 / table W 4D 9D 6D / hand KD 3D AS JS 7S KC 8C 5C 2C AH TH 6H 4H
        must KD: partner's nil is winning the trick, and only your king takes it off

        bids W3 Nnil E4 S4 / table W 4D 9D 6D / hand AS JS 7S KC QC 8C 5C 2C AH TH 6H 4H 3H
        must AS JS 7S: partner's nil is winning the trick, and only a spade takes it off

        bids Nnil E4 S4 W3 / table N 6C 5C / hand KC QC 4C AS TS 5S KD 9D 7D 2D AH JH 8H
        must KC QC: partner's nil is winning with a six, and West will gladly stay below it

        bids E4 S4 W3 Nnil / table E 3H / hand AH KH 4H QS 9S 5S AC 8C 6C KD JD 7D 3D
        must AH KH: on a three and a four partner's nil may have to win; your ace covers whatever it holds

        bids S5 W3 Nnil E4 / hand AS KS 8S AC KC 7C 4C AD 9D 3D JH 6H 2H
        must not 7C 4C 9D 3D 2H: with aces and kings to lead, a low card asks partner's nil to win the trick

        bids S5 W3 Nnil E4 / tricks S AC 2C QC 6C, S KC 5C JC 2H / hand 4C 3C AD KD 7D AS QS 6S AH TH 3H
        must not 4C 3C 7D 3H: partner followed with queen and jack, East is out of clubs: who would cover another one?
    """,
    "spends high cards on a nil that is safe, and misses its own bid": """
        bids W3 Nnil E4 S5 / table W AC 6C 3C / hand KC 7C 2C AS QS TS 4S AD JD 8D KH 9H 5H
        must 7C 2C: West's ace covers partner already: your king under it is a trick of your five thrown away

        bids W3 Nnil E4 S5 / table W KD 3D 5D / hand QS 9S 6S AC KC 8C 7C 3C AH KH 9H 4H 2H
        must not AC KC AH KH: partner is safe under West's king: trump it or throw a low card, not the tricks you bid

        bids E3 S5 W3 Nnil / table E AH / hand KH 8H 4H AS KS 7S 3S QC TC 5C AD JD 6D
        must 8H 4H: East's ace covers partner: your king is worth a trick later

        bids W3 Nnil E4 S5 / table W 5H 3H 9H / hand AH QH 2H AS JS 8S 6S KC 9C 4C AD TD 5D
        must not AH: you are last and partner's nil is safe: if you want the trick the queen wins it as well
    """,
    "bids nil, or far too low, beside its partner's nil": """
        bids Nnil E4 / hand 9S 6S 3S QC 8C 5C JD 7D 3D TH 8H 4H 2H
        must not nil: two nils leave nobody to cover either

        scores 150 300 / bids Nblind E4 / hand TS 5S 2S JC 9C 3C KD 8D 2D QH 7H 5H 4H
        must not nil: partner bid nil without seeing its cards and needs all the cover you have

        bids W4 Nnil E4 / hand KS 4S 2S QC 7C 5C 3C AD 6D 4D 9H 6H 2H
        must not nil: an ace and a king are cover, not a nil

        bids W3 Nnil E2 / hand AS KS QS 7S AC KC 2C AD 8D 5D KH QH 6H
        must 6 7 8: six tricks are certain, and partner takes none of the others: each trick not bid is a bag

        bids W3 Nnil E3 / hand AS JS 8S 5S AC QC 6C KD 9D 3D AH 7H 4H
        must 3 4 5: three aces, a guarded king and four spades, and seven tricks that nobody has bid for
    """,
    "takes needless bags, or underbids": """
        hand AS KS QS JS 9S 4S AC KC 5C AD 7D 3D 2H
        must 6 7 8 9: you hold eight tricks

        hand AS 7S 4S AC KC 6C AD KD 5D AH 9H 4H 2H
        must 4 5 6: four aces, and two kings beside theirs

        scores 250 240 / bags 9 3 / bids W3 N2 E2 S3 / taken 5 5 / out TH 4H QH AD KD 9D 8D 7D 6D / table W TH 4H QH
        hand AH 3H 5D
        must 3H: both bids are made and your tenth bag costs a hundred; the ace can be thrown on a diamond

        scores 250 240 / bags 9 3 / bids W3 N2 E2 S3 / taken 5 5 / out KC TC 7C 5C KH QH JH 9H 8H / table W KC 7C TC
        hand AH 3H 2H
        must AH: both bids are made and your tenth bag costs a hundred: be rid of the ace while you can

        rules showdown / scores 120 130 / bags 4 1 / bids W3 N2 E2 S3 / taken 5 5 / out 9D 3D JD AC KC TC 9C 8C 7C
        table W 9D 3D JD / hand QD 2D 4C
        must 2D: both bids are made, and your fifth bag gives the opponents fifty
    """,
    "spares opponents who are a bag short of their penalty": """
        scores 250 240 / bags 2 9 / bids W3 N2 E2 S3 / taken 5 5 / out 9C 4C QC AH KH TH 9H 8H 7H / table W 9C 4C QC
        hand AC 2C 6H
        must 2C: all bids are made: this trick is the opponents' tenth bag, let them have it

        scores 250 240 / bags 2 9 / bids W3 N3 E2 S3 / taken 6 5 / out TD 5D JD AC 9C 8H / table W TD 5D JD / hand KD 2D
        must 2D: all bids are made: this trick is their tenth bag; after the king the two of diamonds wins as well

        rules showdown / scores 120 130 / bags 1 4 / bids W3 N2 E2 S4 / taken 6 5 / out 8H 4H QH AC TC 9D
        table W 8H 4H QH / hand KH 3H
        must 3H: all bids are made: with their fifth bag the opponents give you fifty
    """,
    "refuses the one trick that sets the opponents": """
        bags 4 2 / bids W3 N3 E3 S4 / taken 7 4 / out TH 4H KH 9C 8C JD / table W TH 4H KH / hand AH 2H
        must AH: they need both tricks for their six: one bag of yours costs them a hundred and twenty

        bags 7 1 / bids W4 N2 E3 S3 / taken 6 5 / out TD 4D JD KC QC 9H / table W TD 4D JD / hand QD 3D
        must QD: they need both tricks for their seven: your ninth bag is a small price

        bags 3 2 / bids W4 N2 E3 S4 / taken 6 5 / out KC 6C 3C JS QH 9H / table W KC 6C 3C / hand 7S 4H
        must 7S: they need both tricks for their seven; the seven wins now, and not against the jack of spades later
    """,
    "throws high cards at an opponent's nil": """
        bids E5 S4 Wnil N3 / taken 5 5 / out AC TC 9C 8C 3C QH JH 9H 8H / table E AC / hand KC 2C AH
        must 2C: you need two more: king of clubs and ace of hearts win them, and neither harms West's nil

        bids E4 S4 Wnil N4 / table E KD / hand KS 9S 4S AC JC 7C 6C 2C AH 9H 8H 5H 3H
        must not AC AH: you bid four: trump or throw a low card, but do not get rid of your tricks to duck a nil

        bids W6 N3 Enil S4 / taken 5 6 / out JD 5D 9D KC TC 8H / table W JD 5D 9D / hand AD 4D
        must AD: you need both tricks for your seven, and East's nil is safe under West's jack

        bids Wnil N4 E4 S4 / table W 8C 5C 6C / hand AC KC 3C QS 8S 6S AD 9D 7D KH TH 5H 2H
        must 3C: West's nil is winning the trick: leave it there and it is broken

        bids W3 N4 Enil S4 / table W 6H 4H 9H / hand AH 5H KS TS 7S AC QC 8C 4C QD 9D 6D 3D
        must 5H: East's nil is winning the trick: leave it there and it is broken
    """,
    "saves its spades while tricks are needed": """
        bids W3 N3 E3 S4 / taken 5 6 / out KD 5D 8D QD TC 7H / table W KD 5D 8D / hand AS 3C
        must AS: you need both tricks: the ace of spades must take this one

        bids W3 N3 E3 S4 / taken 6 5 / out KD 5D 7S JS KC 9C / table W KD 5D 7S / hand 9S 2C
        must 9S: you need one more trick: here the nine wins it, and later the jack is still out

        bids W3 N3 E3 S4 / taken 5 5 / out KH 4H 8H JS 9S QC TC 7D 6D / table W KH 4H 8H / hand AS 4S 3C
        must 4S: you need two of three: the four wins here and the ace whenever you like

        bids E3 S4 W3 N3 / taken 5 5 / out QD JD 9D 8D 7D TC 8C JS 9S / table E QD / hand AS 5S 3C
        must not 3C: you need two of three: the club wins nothing, and two spades later must both win
    """,
    "wins with the highest card when a low one does": """
        bids W3 N3 E3 S4 / table W KD 3D 7D / hand AS QS 4S KC TC 8C 5C 2C AH JH 9H 6H 3H
        must 4S: you are last and they are winning: the four is as good as the ace

        bids W4 N2 E3 S4 / tricks W AD 2D 5D 9D / table W KD 7D 6S / hand AS KS 8S 3S QC 9C 6C 2C AH 7H 5H 4H
        must 8S: you are last: the eight beats East's six as well as the ace does

        bids W3 N3 E3 S4 / table W 8H 3H TH / hand AH JH 4H KS TS 5S QC 9C 8C KD 7D 6D 2D
        must JH: you are last: the jack wins it, and the ace wins another
    """,
    "draws its partner's last spades": """
        bids W3 N4 E2 S4 / tricks W KD 3D 5D 2S, S AS 4S 5S 6S, S KS 7S 8S 9S, S QS 3C TS 2H
        hand JS AC KC 6C AH QH 9H 8H 5H
        must not JS: the last spade out is partner's: apart, your two spades win two tricks, together one

        bids W2 N4 E2 S5 / tricks W KD 3D 5D 2S, S AS 4S 6S 5S, S KS 3C 7S 2H / hand QS JS AC KC 6C AH 5H 9H 8H 4C
        must not QS JS: both opponents are out of spades: leading more only draws partner's

        bids W2 N4 E1 S6 / tricks W AH 3H 7H 2H, W KH 5H 8H 4S, S KS 2S 5S 6S, S QS 7S 8S 9S, S JS 3C TS 4D
        hand AS AC KC QC 4C AD KD 5D
        must not AS: the last spade out is partner's: apart, your two spades win two tricks, together one
    """,
    "ignores the score at the end": """
        scores 420 480 / bids W3 N3 E2 / hand 9S 5S 3S KC 8C 4C 2C QD 7D 3D JH 6H 2H
        must nil: they reach 530: no bid of yours gets there, but 450 and a nil do

        rules classic target=off max_hands=8 / hand_number 7 / scores 400 430 / bids W2 N3 E2
        hand AS QS 7S 4S KC 9C 3C AD 8D 5D KH 7H 2H
        must 4 5 6: the last hand, they reach 470: three and three are 460, and six tricks are nobody's

        scores 450 300 / bids W4 N3 E3 / hand AS 9S 5S AC 8C 4C KD JD 6D QH 9H 5H 2H
        must 2 3: three and two make 500 and the game: one is too few, four are a risk for nothing

        scores 300 460 / bags 8 2 / bids W2 N3 E3 S4 / taken 8 3 / out TH 4H KH 9C 8C JD / table W TH 4H KH / hand AH 2H
        must AH: they need both tricks and then have won the game: what is a tenth bag against that?

        rules classic target=off max_hands=8 / hand_number 7 / scores 251 260 / bags 3 3 / bids W2 N3 E3 S3 / taken 6 5
        out TH 4H KH 9C 8C JD / table W TH 4H KH / hand AH 2H
        must AH: the last hand, 311 to 310, and each overtrick is a point: this trick keeps you ahead

        scores 450 330 / bids W5 N3 Enil S4 / taken 6 5 / out 4D 3D 7D KC TC 8H / table W 4D 3D 7D / hand AD 2D
        must AD: the ace makes your seven and wins the game at once; East's nil no longer matters
    """,
    "wastes a king, or a high spade": """
        bids E3 S3 W3 N3 / table E AD / hand KD 6D 2D QS 9S 5S AC JC 4C KH TH 8H 3H
        must 6D 2D: the ace has the trick: keep the king

        bids N3 E3 S3 W3 / table N 4D AD / hand KD 8D 3D JS TS 6S KC QC 7C AH 9H 5H 4H
        must 8D 3D: the ace has the trick: keep the king

        rules classic spades_lead=any / bids E4 S4 W2 N3 / table E AS / hand KS 7S 3S AC TC 5C KD JD 9D 4D QH 6H 2H
        must 7S 3S: the ace has the trick: keep the king

        bids S4 W3 N3 E3 / hand KC 7C 4C AD KD QD 6D 9H 5H 2H QS 8S 3S
        must not KC: the ace of clubs is out: lead from ace, king and queen instead, and let this king wait

        rules classic spades_lead=any / bids E4 S3 W2 N4 / tricks E 4S 5S 2S JS / table N AS 7S
        hand KC 5C JD 9D 6D 2D AD KH 7H 4H 2H QH
        must not KC 5C AD: partner has the trick: throw a low card, not the ace, nor the king or what guards it

        bids N4 E4 S4 Wnil / table N AD 6D / hand KS 9S 4S AC JC 8C 5C 3C KH TH 7H 6H 2H
        must not KS 9S 4S: West's nil cannot win under partner's ace: a spade on it is a trick less for you
    """,
    "ignores the table's options": """
        rules classic bag_limit=off / scores 250 240 / bids W3 N2 E2 S3 / taken 5 5 / out TH 4H QH AD KD 9D 8D 7D 6D
        table W TH 4H QH / hand AH 3H 5D
        must AH: bags are not counted here: an overtrick is a point, and the ace wins no other trick

        rules classic bag_limit=off overtrick_points=-1 / scores 250 240 / bids W3 N2 E2 S3 / taken 5 5
        out TH 4H QH AD KD 9D 8D 7D 6D / table W TH 4H QH / hand AH 3H 5D
        must 3H: an overtrick costs a point here

        rules classic nil=false / bids W4 N0 E4 S4 / table W 4D 9D 6D / hand KD 5D 3D AS JS 7S KC 8C 5C AH TH 6H 4H
        must 5D 3D: there is no nil here: partner's nine wins a trick for your bid, leave it alone

        rules classic nil=false / bids W6 N3 E0 S4 / taken 5 6 / out 7D 5D 9D KC TC 8H / table W 7D 5D 9D / hand AD 4D
        must AD: there is no nil here: to leave East the trick breaks nothing, and you need it for your seven

        rules classic nil=false / bids W3 N3 E3 / hand KS 4S 3S AC 9C 5C 2C AD 8D 4D QH 6H 3H
        must 1 2 3: there is no nil here: a bid of none earns nothing, and you hold two aces and a king

        rules solo / scores 100 100 100 100 / bids W4 N3 E3 / hand AD 6D 2D QS 5S 3S KC 8C 4C 2C TH 7H 3H
        must 1 2 3: zero is no nil here and earns nothing; an ace, a king and a queen of spades earn something

        rules solo / bids S3 W4 N3 E2 / table W 5H QH 3H / hand KH 6H 2H AS 9S 5S AC TC 7C 3C QD 8D 4D
        must KH: everybody plays for itself: North's queen is an opponent's, and your king wins the trick

        rules solo / bids W4 N2 E2 S3 / taken 5 5 / out TH 4H QH AD KD 9D 8D 7D 6D / table W TH 4H QH / hand AH 3H 5D
        must AH: there are no bags here: every trick is a point at least, and the ace wins no other

        rules classic trumps=deuces / bids W3 N3 E3 S4 / table W KD 4D 7D / hand 2D TS 5S KC QC 9C 4C AH JH 8H 7H 6H 3H
        must 5S TS: the two of diamonds is the second-highest spade here: a low spade wins this trick as well
    """,
    "bids blind nil in no need, or does not when nothing else is left": """
        rules classic target=off max_hands=8 / hand_number 7 / scores 250 440 / bids W1 N4 E2
        must blind: the last hand: set, they still have 410, and only forty and a blind nil bring you above that

        rules classic blind_nil_pass=3 / scores 300 470 / bids W2 N3 E3
        must blind: they reach 520 with five easy tricks: with three cards passed a blind nil is your best hope by far

        rules classic blind_nil_deficit=0 / scores 240 250
        must look: ten points behind are nothing, and a blind nil mostly fails

        rules classic blind_nil_deficit=0
        must look: nobody is behind, and a blind nil mostly fails

        scores 100 210 / bids W3 N3 E3
        must look: there is all the time to catch up, and a blind nil mostly fails
    """,
    "passes the wrong cards": """
        rules classic blind_nil_deficit=0 blind_nil_pass=1 / bids Sblind W4 N4 E4
        hand AS 6S 3S TC 8C 4C 2C 9D 5D 2D 8H 6H 3H
        must AS: the ace of spades wins a trick for certain: no nil can keep it

        rules classic blind_nil_deficit=0 blind_nil_pass=1 / bids Sblind W4 N4 E4
        hand KS 3S 9C 6C 4C 2C 8D 5D 3D 2D 7H 4H 2H
        must KS: the king of spades is the one card that can break this nil

        rules classic blind_nil_deficit=0 blind_nil_pass=2 / bids Sblind W4 N4 E4
        hand 4S 2S 9C 7C 4C 3C 2C 8D 5D 3D 2D AH KH
        must AH KH: the bare ace and king of hearts must go: everything else is low

        rules classic blind_nil_deficit=0 blind_nil_pass=1 / bids W3 Nblind E3 S5
        hand AS QS 5S KC JC 4C AD TD 3D 2D KH 8H 2H
        must not AS QS KC JC AD TD KH: partner's nil must get a low card, and you need the high ones to cover it

        rules classic blind_nil_deficit=0 blind_nil_pass=2 / bids E3 S5 W3 Nblind
        hand KS JS 9S AC QC 6C 3C KD QD 4D AH JH 2H
        must not KS JS 9S AC QC KD QD AH JH: partner's nil must get a low card, and you need the high ones to cover it
    """,
}
POSITIONS = [(manner, position) for manner, text in MANNERS.items() for position in read_positions(text)]


def faults(agent: Agent) -> list[str]:
    """What an agent does that people do not forgive, at whatever seat, each in one line; empty if it has manners."""
    found = [(manner, _wrong(agent, position)) for manner, position in POSITIONS]
    return [f"{manner}: {fault}" for manner, fault in found if fault]


def _wrong(agent: Agent, position: Position) -> str:
    return next(filter(None, (position.fault(agent, seat) for seat in range(NUM_SEATS))), "")
