package proxy

// sendClient has the loop send whole messages to the client, and waits until the client has taken them.
func (d *loopDriver) sendClient(b []byte) error { return <-d.give(b) }

// notify is sendClient without the wait.
func (d *loopDriver) notify(b []byte) { d.give(b) }

// give gives the loop messages to send, and returns where it says how that went.
func (d *loopDriver) give(b []byte) <-chan error {
	done := make(chan error, 1)
	d.loop.Do(func() {
		if !d.has() {
			done <- errClientLeft
			return
		}
		d.waiting = append(d.waiting, delivery{b, done})
		d.deliver()
	})
	return done
}

// deliver sends what give was given, if no message of the server is half sent.
func (d *loopDriver) deliver() {
	for len(d.waiting) > 0 && d.has() && d.toClient == nil && !d.s.core.HalfSent() {
		w := d.waiting[0]
		d.waiting = d.waiting[1:]
		switch err := d.client.Write(w.b); {
		case err != nil:
			w.done <- errClientLeft
			d.failed(err)
		case d.client.Unwritten():
			d.toClient = w.done
			d.reads(d.server, false)
		default:
			w.done <- nil
		}
	}
}

// sendServer has the loop send messages to the server, and waits until it has taken them.
func (d *loopDriver) sendServer(b []byte) error {
	done := make(chan error, 1)
	d.loop.Do(func() {
		if !d.has() {
			done <- errServerLeft
			return
		}
		switch err := d.server.Write(b); {
		case err != nil:
			done <- errServerLeft
			d.failed(err)
		case d.server.Unwritten():
			d.toServer = done
		default:
			done <- nil
		}
	})
	return <-done
}

// answered goes on with what the client has sent during an answer.
func (d *loopDriver) answered(err error) {
	s := d.s
	d.loop.Do(func() {
		if !d.has() {
			go func() {
				s.mu.Lock()
				for s.driver == driver(d) && !s.ends() {
					s.changed.Wait()
				}
				next := s.driver
				s.mu.Unlock()
				if next != driver(d) {
					next.answered(err)
				}
			}()
			return
		}
		if err != nil {
			d.handOver(connections{clientErr: err})
			return
		}
		s.mu.Lock()
		ended := s.clientEnd
		relays := s.state == stateAnswering && s.become(stateRelaying)
		s.mu.Unlock()
		switch {
		case !relays: // the server has left meanwhile
			d.handOver(connections{serverErr: errServerLeft})
			return
		case ended != nil:
			d.processLast(ended)
			return
		}
		d.goOn()
		if d.has() && s.srv.draining.Load() {
			d.drainHere()
		}
	})
}

// processLast deals with what a client has sent before its end.
func (d *loopDriver) processLast(ended error) {
	s := d.s
	d.process(s.takeHeld())
	s.mu.Lock()
	answering := s.state == stateAnswering
	s.mu.Unlock()
	if d.has() && !answering && !d.full {
		d.clientEnded(ended)
	}
}
