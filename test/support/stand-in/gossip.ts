import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import type { sendUnaryData } from '@grpc/grpc-js';
import type { Faults } from './faults.ts';

/** Responds with the members of the cluster. */
export function handleGossip({ silent, members }: Faults, answer: sendUnaryData<gossip.ClusterInfo>): void {
  if (silent) return;
  const { LEADER, FOLLOWER } = gossip.MemberInfo.VNodeState;
  const list = members.map(({ port, isLeader }) =>
    new gossip.MemberInfo()
      .setState(isLeader ? LEADER : FOLLOWER)
      .setIsAlive(true)
      .setHttpEndPoint(new gossip.EndPoint().setAddress('127.0.0.1').setPort(port)),
  );
  answer(null, new gossip.ClusterInfo().setMembersList(list));
}
