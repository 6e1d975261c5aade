BEGIN TRANSACTION;
CREATE TABLE game_results (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, seat INTEGER NOT NULL, person TEXT NOT NULL, ended TEXT NOT NULL,
    outcome REAL NOT NULL, margin INTEGER NOT NULL, hands INTEGER NOT NULL, difficulty INTEGER, partner TEXT,
    opponents TEXT NOT NULL, hints INTEGER NOT NULL, takebacks INTEGER NOT NULL, moved_for INTEGER NOT NULL,
    UNIQUE (key, seat)
);
INSERT INTO "game_results" VALUES(1,'over1',0,'Anna','2026-11-24T10:27:39.381+00:00',1.0,131,1,8,'rule','["rule", "rule"]',0,0,0);
CREATE TABLE hand_results (
    hand INTEGER NOT NULL REFERENCES hands (id), key TEXT NOT NULL, seat INTEGER NOT NULL, person TEXT NOT NULL,
    bid INTEGER NOT NULL, tricks INTEGER NOT NULL, nil INTEGER NOT NULL, blind INTEGER NOT NULL, made INTEGER NOT NULL,
    bags INTEGER NOT NULL
);
INSERT INTO "hand_results" VALUES(1,'over1',0,'Anna',9,10,0,0,1,1);
INSERT INTO "hand_results" VALUES(2,'open1',0,'Anna',9,10,0,0,1,1);
CREATE TABLE hands (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, number INTEGER NOT NULL, taken_back INTEGER NOT NULL DEFAULT 0,
    rules TEXT NOT NULL, told TEXT NOT NULL
);
INSERT INTO "hands" VALUES(1,'over1',0,0,'pagat target=off max_hands=1','{"number":0,"dealer":3,"deal":"6C 7C 8C 9C TC JC QC KC AC 2S 3S 4S 5S | 2C 5C 2H 5H 6H 7H 8H 9H TH JH 6S KS AS | 3C 2D 3D 4D 5D 6D 3H QH KH AH 7S JS QS | 4C 7D 8D 9D TD JD QD KD AD 4H 8S 9S TS","scores":[0,0],"bags":[0,0],"moves":"bid:9 bid:2 bid:1 bid:1 AC 2C 3C 4C KC 5C QH 7D QC 5H KH 8D JC 6H AH 9D TC 7H 2D TD 9C 8H 3D JD 8C 9H 4D QD 7C TH 5D KD 6C JH 6D AD 2S AS 7S 8S KS JS 9S 3S 6S QS TS 4S 3H 4H 5S 2H","by":"pbbbpbbbpbbbpbbbpbbbpbbbpbbbpbbbpbbbpbbbpbbbbbbpbbbpbbpb"}');
INSERT INTO "hands" VALUES(2,'open1',0,0,'pagat','{"number":0,"dealer":3,"deal":"6C 7C 8C 9C TC JC QC KC AC 2S 3S 4S 5S | 2C 5C 2H 5H 6H 7H 8H 9H TH JH 6S KS AS | 3C 2D 3D 4D 5D 6D 3H QH KH AH 7S JS QS | 4C 7D 8D 9D TD JD QD KD AD 4H 8S 9S TS","scores":[0,0],"bags":[0,0],"moves":"bid:9 bid:2 bid:1 bid:1 AC 2C 3C 4C KC 5C QH 7D QC 5H KH 8D JC 6H AH 9D TC 7H 2D TD 9C 8H 3D JD 8C 9H 4D QD 7C TH 5D KD 6C JH 6D AD 2S AS 7S 8S KS JS 9S 3S 6S QS TS 4S 3H 4H 5S 2H","by":"pbbbpbbbpbbbpbbbpbbbpbbbpbbbpbbbpbbbpbbbpbbbbbbpbbbpbbpb"}');
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO "settings" VALUES('last','{"rules": "pagat", "bots": ["rule", "rule", "rule", "rule"], "seat": 0, "move_seconds": null}');
CREATE TABLE sittings (
    key TEXT PRIMARY KEY, state TEXT NOT NULL, began TEXT NOT NULL, changed TEXT NOT NULL, told TEXT NOT NULL
);
INSERT INTO "sittings" VALUES('over1','over','2026-11-24T10:27:39.381+00:00','2026-11-24T10:27:39.381+00:00','{"format":1,"key":"over1","rules":"pagat target=off max_hands=1","seed":5,"salt":"8fbc7de230bbac8fd963f1dbc03ded9e","start":{"dealer":3,"scores":[0,0],"bags":[0,0],"hand_number":0,"deal":"6C 7C 8C 9C TC JC QC KC AC 2S 3S 4S 5S | 2C 5C 2H 5H 6H 7H 8H 9H TH JH 6S KS AS | 3C 2D 3D 4D 5D 6D 3H QH KH AH 7S JS QS | 4C 7D 8D 9D TD JD QD KD AD 4H 8S 9S TS"},"counted":true,"bots":["rule","rule","rule","rule"],"people":["Anna",null,null,null],"adviser":"rule","sat":[],"moves":"bid:9 bid:2 bid:1 bid:1 AC 2C 3C 4C KC 5C QH 7D QC 5H KH 8D JC 6H AH 9D TC 7H 2D TD 9C 8H 3D JD 8C 9H 4D QD 7C TH 5D KD 6C JH 6D AD 2S AS 7S 8S KS JS 9S 3S 6S QS TS 4S 3H 4H 5S 2H","by":"pbbbpbbbpbbbpbbbpbbbpbbbpbbbpbbbpbbbpbbbpbbbbbbpbbbpbbpb","timed_out":false,"hints":[],"takebacks":[],"hinted":[],"seen":[[0,0]],"settled":-1,"clock":{"move":null,"spent":0.0010949039997285581,"spent_on_move":0.0,"waiting":false},"version":56}');
INSERT INTO "sittings" VALUES('open1','open','2026-11-24T10:27:39.385+00:00','2026-11-24T10:27:39.385+00:00','{"format":1,"key":"open1","rules":"pagat","seed":5,"salt":"dff383729504496a3e08688137c4e6c3","start":{"dealer":3,"scores":[0,0],"bags":[0,0],"hand_number":0,"deal":"6C 7C 8C 9C TC JC QC KC AC 2S 3S 4S 5S | 2C 5C 2H 5H 6H 7H 8H 9H TH JH 6S KS AS | 3C 2D 3D 4D 5D 6D 3H QH KH AH 7S JS QS | 4C 7D 8D 9D TD JD QD KD AD 4H 8S 9S TS"},"counted":true,"bots":["rule","rule","rule","rule"],"people":["Anna",null,null,null],"adviser":"rule","sat":[],"moves":"bid:9 bid:2 bid:1 bid:1 AC 2C 3C 4C KC 5C QH 7D QC 5H KH 8D JC 6H AH 9D TC 7H 2D TD 9C 8H 3D JD 8C 9H 4D QD 7C TH 5D KD 6C JH 6D AD 2S AS 7S 8S KS JS 9S 3S 6S QS TS 4S 3H 4H 5S 2H bid:3","by":"pbbbpbbbpbbbpbbbpbbbpbbbpbbbpbbbpbbbpbbbpbbbbbbpbbbpbbpbb","timed_out":false,"hints":[],"takebacks":[],"hinted":[],"seen":[[0,0],[1,0]],"settled":-1,"clock":{"move":null,"spent":0.0009823319992392499,"spent_on_move":0.0,"waiting":false},"version":57}');
INSERT INTO "sittings" VALUES('half1','open','2026-11-24T10:27:39.385+00:00','2026-11-24T10:27:39.385+00:00','{"format":1,"key":"half1","rules":"solo","seed":5,"salt":"df0e88323f08ac195abdab77d96ae825","start":{"dealer":3,"scores":[0,0,0,0],"bags":[0,0,0,0],"hand_number":0,"deal":"6C 7C 8C 9C TC JC QC KC AC 2S 3S 4S 5S | 2C 5C 2H 5H 6H 7H 8H 9H TH JH 6S KS AS | 3C 2D 3D 4D 5D 6D 3H QH KH AH 7S JS QS | 4C 7D 8D 9D TD JD QD KD AD 4H 8S 9S TS"},"counted":true,"bots":["rule","rule","rule","rule"],"people":["Anna",null,null,null],"adviser":"rule","sat":[],"moves":"bid:9 bid:2 bid:1 bid:1 AC 2C 3C 4C KC 5C QH 7D QC 5H KH 8D JC 6H AH 9D TC 7H 2D TD 9C 8H 3D JD 8C 9H 4D QD 7C TH 5D KD 6C JH 6D AD 2S AS 7S 8S KS JS 9S 3S","by":"pbbbpbbbpbbbpbbbpbbbpbbbpbbbpbbbpbbbpbbbpbbbbbbp","timed_out":false,"hints":[],"takebacks":[],"hinted":[],"seen":[[0,0]],"settled":-1,"clock":{"move":null,"spent":0.0008451509997939866,"spent_on_move":0.0,"waiting":false},"version":48}');
CREATE TABLE variants (name TEXT PRIMARY KEY, rules TEXT NOT NULL);
INSERT INTO "variants" VALUES('house','showdown trumps=nyc');
CREATE INDEX hands_of_sitting ON hands (key, number);
COMMIT;
PRAGMA application_id = 1397768516;
PRAGMA user_version = 1;
